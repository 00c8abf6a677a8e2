//! Plans: pure host code that turns a shape and a device's limits into ordered kernel launches.
