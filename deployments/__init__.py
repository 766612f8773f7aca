"""The doors: commands that start flows, and the deployments Prefect runs them from."""
