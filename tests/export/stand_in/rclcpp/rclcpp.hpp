// As much of rclcpp as an exported node uses: a timer that is called forty times, an array of
// inputs after ten of them, and states that are printed at the end.
#pragma once
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "std_msgs/msg/float64_multi_array.hpp"

namespace rclcpp
{
struct World
{
    std::function<void()> timer;
    std::function<void(const std_msgs::msg::Float64MultiArray &)> inputs;
    std_msgs::msg::Float64MultiArray last;
    long nanoseconds = 0, published = 0;
    static World & one()
    {
        static World world;
        return world;
    }
};
struct Logger
{
};
struct TimerBase
{
    using SharedPtr = std::shared_ptr<TimerBase>;
};
template <class T>
struct Subscription
{
    using SharedPtr = std::shared_ptr<Subscription<T>>;
};
template <class T>
struct Publisher
{
    using SharedPtr = std::shared_ptr<Publisher<T>>;
    void publish(const T & message)
    {
        World::one().last = message;
        World::one().published += 1;
    }
};
class Node
{
public:
    explicit Node(const std::string &) {}
    template <class T>
    T declare_parameter(const std::string & name, const T & usual)
    {
        return name == "start" ? static_cast<T>(1) : usual;
    }
    template <class T>
    typename Publisher<T>::SharedPtr create_publisher(const std::string &, int)
    {
        return std::make_shared<Publisher<T>>();
    }
    template <class T, class F>
    typename Subscription<T>::SharedPtr create_subscription(const std::string & name, int, F && call)
    {
        if constexpr (std::is_same_v<T, std_msgs::msg::Float64MultiArray>) {
            if (name == "~/inputs") {
                World::one().inputs = call;
            }
        }
        return std::make_shared<Subscription<T>>();
    }
    template <class F>
    TimerBase::SharedPtr create_wall_timer(std::chrono::nanoseconds period, F && call)
    {
        World::one().nanoseconds = static_cast<long>(period.count());
        World::one().timer = call;
        return std::make_shared<TimerBase>();
    }
    Logger get_logger() const { return {}; }
};
inline void init(int, char **) {}
inline void shutdown() {}
inline void spin(const std::shared_ptr<Node> &)
{
    World & world = World::one();
    std_msgs::msg::Float64MultiArray wrong, infinite, inputs;
    wrong.data = {1.0, 2.0, 3.0};
    infinite.data = {1.0, -INFINITY};
    inputs.data = {0.02, std::nan("")};
    for (int k = 0; k < 40; ++k) {
        if (k == 10) {
            world.inputs(wrong);
            world.inputs(infinite);
            world.inputs(inputs);
        }
        world.timer();
    }
    std::printf("%ld %ld\n", world.nanoseconds, world.published);
    for (double value : world.last.data) {
        std::printf("%a\n", value);
    }
}
}  // namespace rclcpp
#define RCLCPP_WARN(logger, ...) ((void)(logger), std::fprintf(stderr, __VA_ARGS__), std::fputs("\n", stderr))
#define RCLCPP_ERROR(logger, ...) RCLCPP_WARN(logger, __VA_ARGS__)
