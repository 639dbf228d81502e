"""Messages of the WebSockets and what a viewer is shown: functions of values."""
