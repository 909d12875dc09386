#pragma once
#include <cstdint>
namespace std_msgs::msg
{
struct Int32
{
    std::int32_t data;
};
}
