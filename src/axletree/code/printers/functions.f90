  ! A negative base has a power where the exponent is whole.
  elemental function axl_power(a, b) result(r)
    real(dp), intent(in) :: a, b
    real(dp) :: r
    if (a < 0.0_dp .and. b == aint(b)) then
      r = (-a)**b*merge(1.0_dp, -1.0_dp, modulo(b, 2.0_dp) < 0.5_dp)
    else
      r = a**b
    end if
  end function axl_power

  elemental function axl_sign(v) result(r)
    real(dp), intent(in) :: v
    real(dp) :: r
    r = v
    if (v > 0.0_dp) r = 1.0_dp
    if (v < 0.0_dp) r = -1.0_dp
  end function axl_sign

  elemental function axl_min(a, b) result(r)
    real(dp), intent(in) :: a, b
    real(dp) :: r
    r = a + b
    if (a < b) r = a
    if (b <= a) r = b
  end function axl_min

  elemental function axl_max(a, b) result(r)
    real(dp), intent(in) :: a, b
    real(dp) :: r
    r = a + b
    if (a > b) r = a
    if (b >= a) r = b
  end function axl_max

  ! A piecewise polynomial; the number of halvings depends on the size of the table alone.
  pure function axl_lookup(v, n, width, breaks, rows) result(r)
    real(dp), intent(in) :: v
    integer, intent(in) :: n, width
    real(dp), intent(in) :: breaks(n), rows(width*(n + 1))
    real(dp) :: r, along
    integer :: row, half, k
    row = 0
    half = 1
    do while (2*half <= n)
      half = 2*half
    end do
    do while (half > 0)
      if (row + half <= n) then
        if (v >= breaks(row + half)) row = row + half
      end if
      half = half/2
    end do
    along = v - breaks(max(row, 1))
    r = rows(width*(row + 1))
    do k = width - 1, 1, -1
      r = r*along + rows(width*row + k)
    end do
    if (v /= v) r = v
  end function axl_lookup

  ! x with a x = b, by elimination with partial pivoting: the n rows of a, then the m columns of b.
  pure subroutine axl_solve(n, m, in, out)
    integer, intent(in) :: n, m
    real(dp), intent(in) :: in(n*(n + m))
    real(dp), intent(out) :: out(n*m)
    real(dp) :: a(n, n + m), row(n + m)
    integer :: i, k, pivot
    a(:, :n) = transpose(reshape(in(:n*n), (/n, n/)))
    a(:, n + 1:) = reshape(in(n*n + 1:), (/n, m/))
    do k = 1, n
      pivot = k - 1 + maxloc(abs(a(k:, k)), 1)
      row = a(k, :)
      a(k, :) = a(pivot, :)
      a(pivot, :) = row
      do i = k + 1, n
        a(i, k + 1:) = a(i, k + 1:) - a(i, k)/a(k, k)*a(k, k + 1:)
      end do
    end do
    do k = n, 1, -1
      do i = n + 1, n + m
        a(k, i) = (a(k, i) - dot_product(a(k, k + 1:n), a(k + 1:n, i)))/a(k, k)
      end do
    end do
    out = reshape(a(:, n + 1:), (/n*m/))
  end subroutine axl_solve
