# `make` builds the example, `make run` runs it for one second and writes run.csv.
ifeq ($(origin FC),default)
FC = gfortran
endif
FFLAGS ?= -O2

example: main.f90 model.f90
	$(FC) $(FFLAGS) -o $@ model.f90 main.f90

run: example
	./example > run.csv

clean:
	rm -f example model.mod run.csv

.PHONY: run clean
