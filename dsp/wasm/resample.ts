import type { Kernel } from '../kernel.ts'
import { FFT_FRAMES, PHASES, type ResamplerDesign } from '../resampler-design.ts'
import { blocksOf } from '../resampler-grid.ts'
import type { KernelExports } from './exports.ts'
import type { KernelMemory } from './memory.ts'
import { spectrumOrder, twiddleFactors } from './spectrum-order.ts'

const MAX_TAPS = 20
/** Frames that are interpolated at once where the output is outside the kernel's memory. */
const PIECE_FRAMES = 4096

/**
 * `Kernel.resample` by the compiled kernel. Forward it transforms in double precision: what single precision rounds in both directions is 133 dB
 * below a tone, in one of them 136.
 */
export function createResampler(kernel: KernelExports, memory: KernelMemory): Kernel['resample'] {
  const part = () => memory.doubles(FFT_FRAMES)
  const single = () => memory.floats(FFT_FRAMES)
  const samples = memory.floats(FFT_FRAMES)
  const [re, im] = [part(), part()]
  // At whole frames, and half a frame later.
  const responses = [0, 1].map(() => ({ re: part(), im: part() }))
  const filtered = [0, 1].map(() => ({ re: single(), im: single() }))
  const doubled = [memory.floats(2 * FFT_FRAMES), memory.floats(2 * FFT_FRAMES)] as const
  const table = memory.floats((PHASES + 1) * MAX_TAPS)
  const twiddles = placed(twiddleFactors(FFT_FRAMES, 2), memory.doubles)
  const inverseTwiddles = placed(twiddleFactors(FFT_FRAMES, 4), memory.floats)
  const order = spectrumOrder(FFT_FRAMES)
  const piece = memory.floats(2 * PIECE_FRAMES)
  let loaded: ResamplerDesign | undefined

  function load(design: ResamplerDesign) {
    if (loaded === design) return
    responses.forEach((response, parity) => {
      const natural = design.responses[parity as 0 | 1]
      order.forEach((bin, place) => {
        response.re[place] = natural.re[bin] as number
        response.im[place] = natural.im[bin] as number
      })
    })
    table.set(design.table)
    loaded = design
  }

  /** The samples of `channel` from `start` on; those outside it are silent. */
  function read(channel: Float32Array, start: number, into: Float64Array) {
    const from = Math.max(0, start)
    const to = Math.min(channel.length, start + FFT_FRAMES)
    if (to - from < FFT_FRAMES) samples.fill(0)
    if (to > from) samples.set(channel.subarray(from, to), from - start)
    kernel.promote(samples.byteOffset, into.byteOffset, FFT_FRAMES)
  }

  function doubleRate() {
    kernel.forward64(re.byteOffset, im.byteOffset, FFT_FRAMES, twiddles.byteOffset)
    filtered.forEach((product, parity) => {
      const response = responses[parity] as (typeof responses)[number]
      const [pr, pi] = [product.re.byteOffset, product.im.byteOffset]
      kernel.multiplyDemote(re.byteOffset, im.byteOffset, response.re.byteOffset, response.im.byteOffset, pr, pi, FFT_FRAMES)
      kernel.inverse32(pr, pi, FFT_FRAMES, inverseTwiddles.byteOffset)
    })
    const [whole, half] = filtered as [(typeof filtered)[number], (typeof filtered)[number]]
    kernel.interleave(whole.re.byteOffset, half.re.byteOffset, doubled[0].byteOffset, FFT_FRAMES)
    kernel.interleave(whole.im.byteOffset, half.im.byteOffset, doubled[1].byteOffset, FFT_FRAMES)
  }

  return (design, { channels, startFrame }, firstFrame, output) => {
    load(design)
    const [left, right] = channels
    const inPlace = right !== undefined && memory.has(output)
    for (const block of blocksOf(design, firstFrame, output.length / channels.length)) {
      read(left, block.inputFrame - startFrame, re)
      if (right === undefined) im.fill(0)
      else read(right, block.inputFrame - startFrame, im)
      doubleRate()
      for (let done = 0; done < block.frames; ) {
        const frames = inPlace ? block.frames : Math.min(PIECE_FRAMES, block.frames - done)
        const start = (block.firstFrame - firstFrame + done) * channels.length
        kernel.interpolate(
          doubled[0].byteOffset,
          doubled[1].byteOffset,
          table.byteOffset,
          design.taps,
          block.position,
          2 * design.rate,
          block.skip + done,
          frames,
          inPlace ? output.byteOffset + start * 4 : piece.byteOffset,
        )
        if (right === undefined) for (let frame = 0; frame < frames; frame++) output[start + frame] = piece[2 * frame] as number
        else if (!inPlace) output.set(piece.subarray(0, 2 * frames), start)
        done += frames
      }
    }
  }
}

/** `values` in an array of the kernel's memory. */
function placed<Values extends Float32Array | Float64Array>(values: number[], allocate: (length: number) => Values): Values {
  const array = allocate(values.length)
  array.set(values)
  return array
}
