# `make` builds the example, which reads a measurement: ./example < drive.csv > estimates.csv
CC ?= cc
CFLAGS ?= -O2 -std=c99 -Wall -Wextra -pedantic -fno-math-errno -fno-trapping-math \
	-ffp-contract=off -fopenmp-simd -DAXL_LANES

example: main.o filter.o model.o
	$(CC) $(CFLAGS) -o $@ main.o filter.o model.o -lm

main.o: main.c filter.h model.h
filter.o: filter.c filter.h model.h
model.o: model.c model.h

clean:
	rm -f example main.o filter.o model.o

.PHONY: clean
