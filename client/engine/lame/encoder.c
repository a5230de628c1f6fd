// Encodes one sound at a time to MP3 packets with LAME 3.100. `build.sh` compiles it to lame.wasm.
#include <lame.h>

#define CHANNELS 2
// Samples of each channel per call: 8 packets.
#define INPUT_SAMPLES 9216
// The largest output of a call (lame.h, lame_encode_buffer), or of the end of a sound.
#define OUTPUT_BYTES (INPUT_SAMPLES * 5 / 4 + 7200)

static lame_global_flags *encoder;
static float input[CHANNELS][INPUT_SAMPLES];
static unsigned char output[OUTPUT_BYTES];

#define EXPORT(name) __attribute__((export_name(#name)))

EXPORT(inputOf) float *input_of(int channel) { return input[channel]; }
EXPORT(inputSamples) int input_samples(void) { return INPUT_SAMPLES; }
EXPORT(output) unsigned char *output_bytes(void) { return output; }

// Starts a sound. Returns a negative number for settings that MP3 does not have.
EXPORT(start) int start(int sample_rate, int channels, int kbps, int quality) {
  lame_close(encoder);
  encoder = lame_init();
  lame_set_in_samplerate(encoder, sample_rate);
  lame_set_out_samplerate(encoder, sample_rate);
  lame_set_num_channels(encoder, channels);
  lame_set_mode(encoder, channels == 1 ? MONO : JOINT_STEREO);
  lame_set_brate(encoder, kbps);
  lame_set_quality(encoder, quality);
  // No packet refers to the data of an earlier one, so that packets of several encoders can follow each other.
  lame_set_disable_reservoir(encoder, 1);
  lame_set_bWriteVbrTag(encoder, 0);
  lame_set_write_id3tag_automatic(encoder, 0);
  return lame_init_params(encoder);
}

// Encodes samples of the input arrays, full scale 1. Returns the number of bytes in the output array, or a negative error.
EXPORT(encode) int encode(int samples) {
  return lame_encode_buffer_ieee_float(encoder, input[0], input[1], samples, output, OUTPUT_BYTES);
}

// Encodes what is left, after the last samples. Returns as `encode` does.
EXPORT(finish) int finish(void) { return lame_encode_flush(encoder, output, OUTPUT_BYTES); }

// The C library's output, which nothing here uses, would import these functions.
int __imported_wasi_snapshot_preview1_fd_close(int file) { return 8; }
int __imported_wasi_snapshot_preview1_fd_seek(int file, long long offset, int whence, int result) { return 8; }
int __imported_wasi_snapshot_preview1_fd_write(int file, int buffers, int count, int result) { return 8; }
