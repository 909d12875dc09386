function r = axl_real(v)
%AXL_REAL A real number, or NaN for a complex one.
    if isreal(v)
        r = v;
    else
        r = NaN;
    end
end

function r = axl_min(a, b)
%AXL_MIN The lesser, NaN where one of them is NaN.
    r = a + b;
    if a < b
        r = a;
    elseif b <= a
        r = b;
    end
end

function r = axl_max(a, b)
%AXL_MAX The greater, NaN where one of them is NaN.
    r = a + b;
    if a > b
        r = a;
    elseif b >= a
        r = b;
    end
end

function r = axl_where(condition, if_true, if_false)
%AXL_WHERE One of two values.
    if condition
        r = if_true;
    else
        r = if_false;
    end
end
