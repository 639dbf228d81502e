"""Pages and WebSocket endpoints, with their templates and static files."""
