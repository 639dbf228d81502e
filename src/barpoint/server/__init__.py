"""The play server, in layers: domain < protocol < storage < bots < live < study < services < api, fibs, web < app."""
