# `make` builds the example, `make run` runs it for one second and writes run.csv.
CC ?= cc
CFLAGS ?= -O2 -std=c99 -Wall -Wextra -pedantic -fno-math-errno -fno-trapping-math \
	-ffp-contract=off -fopenmp-simd -DAXL_LANES

example: main.o model.o
	$(CC) $(CFLAGS) -o $@ main.o model.o -lm

main.o: main.c model.h
model.o: model.c model.h

run: example
	./example 1 0.001 > run.csv

clean:
	rm -f example main.o model.o run.csv

.PHONY: run clean
