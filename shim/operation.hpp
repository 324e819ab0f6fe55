// A collective in flight: something that advances when asked, until it is complete.
#pragma once

namespace hopscotch::shim
{

class Operation
{
  public:
    virtual ~Operation() = default;

    /// Does what can be done without waiting. True once everything has been sent, received and delivered.
    virtual bool advance() = 0;

    /// MPI_SUCCESS, or the first error met; valid once advance() has returned true.
    int error() const noexcept { return error_; }

  protected:
    /// Keeps the first error; the operation goes on, so that no other process waits for our messages.
    void fail(int code) noexcept
    {
        if (error_ == 0)
            error_ = code;
    }
    int error_ = 0;
};

/// Advances an operation until it is complete. `yields`: give the core away after every fruitless look.
void wait(Operation& operation, bool yields);

} // namespace hopscotch::shim
