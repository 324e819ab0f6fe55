// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The buffers of a call in a test program, in host memory or in that of a device.
#ifndef BUFFERS_H
#define BUFFERS_H

#include <stddef.h>
#include <stdint.h>

// Two stretches of memory with the same contents before a call, or one for both buffers.
typedef struct {
    unsigned char* send;
    unsigned char* receive;
    size_t bytes;
    int send_on_device;
    int receive_on_device;
} Buffers;

// The environment variable DEVICE_BUFFERS names the buffers on a device: send, receive, or both. With mixed, `key`
// draws that on each process and for each call. Without the variable both are in host memory. The device is a stand-in
// if one is loaded (device_memory.h), else one of this machine with CUDA's driver.
Buffers make_buffers(size_t bytes, uint64_t key);
void free_buffers(const Buffers* buffers);

// Fills both with an image.
void put_image(const Buffers* buffers, const unsigned char* image);

// Copies the receive buffer into `image`. Ends the program if the call has changed any other byte of a separate send
// buffer, which held `before`; `before` may be the image.
void get_image(const Buffers* buffers, unsigned char* image, const unsigned char* before);

// Copies the send buffer into `image`.
void get_send_image(const Buffers* buffers, unsigned char* image);

#endif
