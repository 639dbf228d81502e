"""The command line, as `python -m barpoint`."""

from barpoint.cli import main

if __name__ == "__main__":
    main()
