#pragma once
#include <vector>
namespace std_msgs::msg
{
struct Float64MultiArray
{
    std::vector<double> data;
};
}
