// A plugin with functions under MAGMA's names, which it calls itself and which other objects can interpose.
int magma_init(void);
int magma_init(void) { return 4711; }

int of_neighbour(void);
int of_neighbour(void) { return magma_init(); }
