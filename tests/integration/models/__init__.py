"""Language models in their roles: good ones, weak ones, absent ones and lying ones."""
