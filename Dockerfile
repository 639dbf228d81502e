# The play server. Two stages: a compiler is needed to build the core, and not to run it.
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN pip wheel --no-cache-dir --constraint /source/constraints-server.txt --wheel-dir /wheels "/source[server,postgres,redis,push]"

FROM python:3.12-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links /wheels "barpoint[server,postgres,redis,push]" \
    && useradd --create-home --home-dir /data barpoint
USER barpoint
WORKDIR /data
ENV BARPOINT_DATABASE=sqlite:////data/barpoint.sqlite3
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz?reads', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["barpoint"]
CMD ["serve", "--host", "0.0.0.0", "--log", "json"]
