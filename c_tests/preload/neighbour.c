// A plugin with functions of MAGMA's names that other objects can replace, and that it calls itself.
int magma_init(void);
int magma_init(void) { return 4711; }

int of_neighbour(void);
int of_neighbour(void) { return magma_init(); }
