# `make` builds the runner, `make run` runs it at 1 kHz until it is stopped.
CC ?= cc
CFLAGS ?= -O2 -std=gnu99 -Wall -Wextra -fno-math-errno -fno-trapping-math \
	-ffp-contract=off -fopenmp-simd -DAXL_LANES
CFLAGS += -DAXL_NO_ALLOCATION

runner: runner.o model.o
	$(CC) $(CFLAGS) -o $@ runner.o model.o -lm -lrt

runner.o: runner.c runner.h model.h
model.o: model.c model.h

run: runner
	./runner --step 0.001

clean:
	rm -f runner runner.o model.o

.PHONY: run clean
