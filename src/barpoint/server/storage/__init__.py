"""The database: schema, migrations, grouped commits, and one repository a feature. All SQL is here."""
