import { crc8, crc16, type FlacFormat, PACKET_RATES, PACKET_SAMPLE_BITS } from './flac-packets.ts'

/**
 * Encodes integer samples as FLAC packets (RFC 9639), without loss. Packets do not refer to each other, so that they can be encoded in any
 * order.
 */

/** Frames of each packet but the last one of a file. Rendered segments are whole numbers of packets. */
export const FLAC_PACKET_FRAMES = 4096

/** The number of coefficients of the linear prediction, and their size in bits. */
const PREDICTION_ORDER = 8
const COEFFICIENT_BITS = 14
const MAX_COEFFICIENT_SHIFT = 15
/** The largest absolute value of a residual that can be coded: its double still fits into 32 bits. */
const MAX_RESIDUAL = 2 ** 30
const MAX_FIXED_ORDER = 4
/** The smallest partition of a residual has 2^-6 of the packet's samples. */
const MAX_PARTITION_ORDER = 6

/** How two channels are stored: unchanged, or one of them replaced by the difference of both. */
const STEREO_MODES = [
  { code: 1, first: 'left', second: 'right' },
  { code: 8, first: 'left', second: 'side' },
  { code: 9, first: 'side', second: 'right' },
  { code: 10, first: 'middle', second: 'side' },
] as const

/** A channel of a packet with its coding. */
type Subframe =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'verbatim'; readonly samples: Int32Array }
  | ({ readonly kind: 'predicted'; readonly samples: Int32Array } & Prediction & { readonly rice: RicePlan })

interface Prediction {
  readonly order: number
  /** The coefficients of a linear prediction; `undefined` for the polynomial of `order`, whose coefficients are fixed. */
  readonly linear: { readonly coefficients: readonly number[]; readonly shift: number } | undefined
  /** The differences from the predicted samples; the first `order` values are unused. */
  readonly residual: Int32Array
}

interface RicePlan {
  readonly partitionOrder: number
  /** The Rice parameter of each partition. */
  readonly parameters: readonly number[]
  readonly bits: number
}

/**
 * Encodes consecutive frames. `channels` are one or two arrays of integers of `bitsPerSample`, whose length is a multiple of FLAC_PACKET_FRAMES
 * unless the sound ends with them. `firstFrame` is their place in the sound, a multiple of FLAC_PACKET_FRAMES.
 */
export function encodeFlacPackets(
  channels: readonly Int32Array[],
  format: Pick<FlacFormat, 'sampleRate' | 'bitsPerSample'>,
  firstFrame: number,
): Uint8Array<ArrayBuffer> {
  const frames = channels[0]?.length ?? 0
  const packetCount = Math.ceil(frames / FLAC_PACKET_FRAMES)
  // The writer has space for packets of the largest size: their samples and some bytes each. A difference of two channels needs one more bit.
  const writer = createBitWriter(packetCount * 64 + Math.ceil((frames * channels.length * (format.bitsPerSample + 1)) / 8))
  for (let start = 0; start < frames; start += FLAC_PACKET_FRAMES) {
    const packet = channels.map((samples) => samples.subarray(start, start + FLAC_PACKET_FRAMES))
    writePacket(writer, packet, format, (firstFrame + start) / FLAC_PACKET_FRAMES)
  }
  return writer.bytes.subarray(0, writer.length)
}

function writePacket(
  writer: BitWriter,
  channels: readonly Int32Array[],
  { sampleRate, bitsPerSample }: Pick<FlacFormat, 'sampleRate' | 'bitsPerSample'>,
  number: number,
) {
  const start = writer.length
  const frames = channels[0]?.length ?? 0
  const { code, contents } = chooseChannels(channels)
  const [SYNC_CODE, STANDARD_SIZE, SIZE_FOLLOWS] = [0xfff8, 12, 7]
  writer.write(SYNC_CODE, 16)
  writer.write(frames === FLAC_PACKET_FRAMES ? STANDARD_SIZE : SIZE_FOLLOWS, 4)
  // The code 0 means that the value is in the file's header.
  writer.write(Math.max(0, PACKET_RATES.indexOf(sampleRate)), 4)
  writer.write(code, 4)
  writer.write(PACKET_SAMPLE_BITS.indexOf(bitsPerSample) << 1, 4)
  for (const byte of codedNumber(number)) writer.write(byte, 8)
  if (frames !== FLAC_PACKET_FRAMES) writer.write(frames - 1, 16)
  writer.write(crc8(writer.bytes, start, writer.length), 8)
  for (const { samples, isSide } of contents) {
    const bits = bitsPerSample + (isSide ? 1 : 0)
    writeSubframe(writer, planSubframe(samples, bits), bits)
  }
  writer.align()
  writer.write(crc16(writer.bytes, start, writer.length), 16)
}

/** Returns the number of a packet coded like a character of UTF-8 of up to 7 bytes. */
function codedNumber(number: number): number[] {
  if (number < 0x80) return [number]
  const followingBytes: number[] = []
  let remainingBits = number
  // Besides its marker, the first byte holds 6 bits of the number less one for each following byte.
  for (; remainingBits >= 2 ** (6 - followingBytes.length); remainingBits = Math.floor(remainingBits / 64))
    followingBytes.unshift(0x80 | (remainingBits % 64))
  const marker = (0xff << (7 - followingBytes.length)) & 0xff
  return [marker | remainingBits, ...followingBytes]
}

/** Chooses the representation of two channels that has the smallest second differences. */
function chooseChannels(channels: readonly Int32Array[]) {
  const [left, right] = channels
  if (left === undefined || right === undefined) return { code: 0, contents: channels.map((samples) => ({ samples, isSide: false })) }
  const [middle, side] = [new Int32Array(left.length), new Int32Array(left.length)]
  for (let index = 0; index < left.length; index++) {
    middle[index] = ((left[index] as number) + (right[index] as number)) >> 1
    side[index] = (left[index] as number) - (right[index] as number)
  }
  const signals = { left, right, middle, side }
  const costs = {
    left: sumSecondDifferences(left),
    right: sumSecondDifferences(right),
    middle: sumSecondDifferences(middle),
    side: sumSecondDifferences(side),
  }
  const mode = STEREO_MODES.reduce((best, each) =>
    costs[each.first] + costs[each.second] < costs[best.first] + costs[best.second] ? each : best,
  )
  return {
    code: mode.code,
    contents: [mode.first, mode.second].map((name) => ({ samples: signals[name], isSide: name === 'side' })),
  }
}

function sumSecondDifferences(samples: Int32Array): number {
  let sum = 0
  for (let index = 2; index < samples.length; index++)
    sum += Math.abs((samples[index] as number) - 2 * (samples[index - 1] as number) + (samples[index - 2] as number))
  return sum
}

function planSubframe(samples: Int32Array, bits: number): Subframe {
  const [firstSample = 0] = samples
  if (samples.every((sample) => sample === firstSample)) return { kind: 'constant', value: firstSample }
  const parameterBits = bits > 17 ? LARGE_PARAMETER_BITS : SMALL_PARAMETER_BITS
  let bestSubframe: Subframe = { kind: 'verbatim', samples }
  let bestBits = samples.length * bits
  for (const prediction of [predictFixed(samples), predictLinear(samples)]) {
    if (prediction === undefined) continue
    const { order, linear, residual } = prediction
    const rice = planRice(residual, order, parameterBits)
    const totalBits = rice.bits + order * bits + (linear === undefined ? 0 : 9 + order * COEFFICIENT_BITS)
    if (totalBits >= bestBits) continue
    bestBits = totalBits
    bestSubframe = { kind: 'predicted', samples, ...prediction, rice }
  }
  return bestSubframe
}

/** Predicts samples by the polynomial through the last samples. Chooses the order with the smallest residual. */
function predictFixed(samples: Int32Array): Prediction | undefined {
  const maxOrder = Math.min(MAX_FIXED_ORDER, samples.length - 1)
  let difference = samples
  let bestPrediction: Prediction | undefined
  let bestSum = Number.POSITIVE_INFINITY
  for (let order = 0; order <= maxOrder; order++) {
    if (order > 0) difference = differencesOf(difference)
    let sum = 0
    for (let index = maxOrder; index < difference.length; index++) sum += Math.abs(difference[index] as number)
    if (sum >= bestSum) continue
    bestSum = sum
    bestPrediction = { order, linear: undefined, residual: difference }
  }
  return bestPrediction
}

function differencesOf(samples: Int32Array): Int32Array {
  const result = new Int32Array(samples.length)
  for (let index = samples.length - 1; index > 0; index--) result[index] = (samples[index] as number) - (samples[index - 1] as number)
  return result
}

/** Predicts by the coefficients that fit the samples best, by the method of autocorrelation. Undefined if they cannot be stored. */
function predictLinear(samples: Int32Array): Prediction | undefined {
  if (samples.length <= 2 * PREDICTION_ORDER) return undefined
  const exactCoefficients = levinsonDurbin(autocorrelate(samples))
  const largestCoefficient = Math.max(...exactCoefficients.map(Math.abs))
  let shift = MAX_COEFFICIENT_SHIFT
  const limit = 2 ** (COEFFICIENT_BITS - 1) - 1
  while (shift > 0 && largestCoefficient * 2 ** shift > limit) shift--
  if (!(largestCoefficient * 2 ** shift <= limit)) return undefined
  // The error of each rounding is added to the next coefficient.
  let error = 0
  const coefficients = exactCoefficients.map((coefficient) => {
    error += coefficient * 2 ** shift
    const rounded = Math.max(-limit, Math.min(limit, Math.round(error)))
    error -= rounded
    return rounded
  })
  const residual = linearResidual(samples, coefficients, shift)
  return residual && { order: PREDICTION_ORDER, linear: { coefficients, shift }, residual }
}

/** Returns the autocorrelation of lags 0 to PREDICTION_ORDER of the samples, weighted by a parabola (Welch's window). */
function autocorrelate(samples: Int32Array): Float64Array {
  const centre = (samples.length - 1) / 2
  const weightedSamples = new Float64Array(samples.length)
  for (let index = 0; index < samples.length; index++) {
    const place = (index - centre) / (centre + 1)
    weightedSamples[index] = (samples[index] as number) * (1 - place * place)
  }
  const sums = new Float64Array(PREDICTION_ORDER + 1)
  for (let lag = 0; lag <= PREDICTION_ORDER; lag++) {
    let sum = 0
    for (let index = lag; index < weightedSamples.length; index++)
      sum += (weightedSamples[index] as number) * (weightedSamples[index - lag] as number)
    sums[lag] = sum
  }
  return sums
}

/** Solves the normal equations of a linear prediction (J. Durbin, "The fitting of time-series models", 1960). */
function levinsonDurbin(correlation: Float64Array): number[] {
  const correlationAt = (lag: number) => correlation[lag] ?? 0
  let coefficients: number[] = []
  let error = correlationAt(0)
  for (let order = 0; order < PREDICTION_ORDER; order++) {
    const reflection =
      error === 0
        ? 0
        : (correlationAt(order + 1) - coefficients.reduce((sum, each, index) => sum + each * correlationAt(order - index), 0)) / error
    const previous = coefficients
    coefficients = [...previous.map((each, index) => each - reflection * (previous[order - 1 - index] ?? 0)), reflection]
    error *= 1 - reflection * reflection
  }
  return coefficients
}

/** Returns undefined if a residual is too large. Sums are exact, because they are smaller than 2^53. */
function linearResidual(samples: Int32Array, coefficients: readonly number[], shift: number): Int32Array | undefined {
  const residual = new Int32Array(samples.length)
  const weights = Float64Array.from(coefficients)
  const scale = 2 ** -shift
  let isTooLarge = false
  for (let index = PREDICTION_ORDER; index < samples.length; index++) {
    let sum = 0
    for (let lag = 0; lag < PREDICTION_ORDER; lag++) sum += (weights[lag] as number) * (samples[index - 1 - lag] as number)
    const difference = (samples[index] as number) - Math.floor(sum * scale)
    if (difference >= MAX_RESIDUAL || difference <= -MAX_RESIDUAL) isTooLarge = true
    residual[index] = difference
  }
  return isTooLarge ? undefined : residual
}

/** The sizes of a Rice parameter (RFC 9639, 9.2.7). The largest value means that no parameter is used. */
const SMALL_PARAMETER_BITS = 4
const LARGE_PARAMETER_BITS = 5

/** Returns a residual as a number without sign: 0, -1, 1, -2 … become 0, 1, 2, 3 … */
const zigzagEncode = (residual: number): number => ((residual << 1) ^ (residual >> 31)) >>> 0

/** Chooses the partitions of a residual and their Rice parameters. */
function planRice(residual: Int32Array, order: number, parameterBits: number): RicePlan {
  let partitionOrder = 0
  const isDivisible = (by: number) => residual.length % 2 ** by === 0 && residual.length / 2 ** by > order
  while (partitionOrder < MAX_PARTITION_ORDER && isDivisible(partitionOrder + 1)) partitionOrder++
  let sums = partitionSums(residual, order, partitionOrder)
  let bestPlan: RicePlan | undefined
  for (; ; partitionOrder--) {
    const plan = planPartitions(sums, residual.length, order, parameterBits, partitionOrder)
    if (bestPlan === undefined || plan.bits < bestPlan.bits) bestPlan = plan
    if (partitionOrder === 0) return bestPlan
    sums = Float64Array.from({ length: sums.length / 2 }, (_, index) => (sums[2 * index] ?? 0) + (sums[2 * index + 1] ?? 0))
  }
}

function partitionSums(residual: Int32Array, order: number, partitionOrder: number): Float64Array {
  const length = residual.length / 2 ** partitionOrder
  return Float64Array.from({ length: 2 ** partitionOrder }, (_, partition) => {
    let sum = 0
    for (let index = Math.max(order, partition * length); index < (partition + 1) * length; index++)
      sum += zigzagEncode(residual[index] as number)
    return sum
  })
}

function planPartitions(sums: Float64Array, frames: number, order: number, parameterBits: number, partitionOrder: number): RicePlan {
  const parameters: number[] = []
  let bits = 6
  for (const [partition, sum] of sums.entries()) {
    const frameCount = frames / sums.length - (partition === 0 ? order : 0)
    const bitsWithParameter = (parameter: number) => frameCount * (parameter + 1) + Math.floor(sum / 2 ** parameter)
    // The best parameter is near the binary logarithm of the mean.
    const largestParameter = 2 ** parameterBits - 2
    const estimate = Math.min(largestParameter, Math.max(0, 31 - Math.clz32(frameCount === 0 ? 0 : sum / frameCount)))
    const parameter = estimate > 0 && bitsWithParameter(estimate - 1) < bitsWithParameter(estimate) ? estimate - 1 : estimate
    parameters.push(parameter)
    bits += parameterBits + bitsWithParameter(parameter)
  }
  return { partitionOrder, parameters, bits }
}

function writeSubframe(writer: BitWriter, subframe: Subframe, bits: number) {
  const [CONSTANT, VERBATIM, FIXED, LINEAR] = [0, 1, 8, 32]
  const writeType = (type: number) => writer.write(type << 1, 8)
  if (subframe.kind === 'constant') {
    writeType(CONSTANT)
    writer.write(subframe.value, bits)
  } else if (subframe.kind === 'verbatim') {
    writeType(VERBATIM)
    for (const sample of subframe.samples) writer.write(sample, bits)
  } else {
    const { order, linear, samples, residual, rice } = subframe
    writeType(linear === undefined ? FIXED + order : LINEAR + order - 1)
    for (const sample of samples.subarray(0, order)) writer.write(sample, bits)
    if (linear !== undefined) {
      writer.write(COEFFICIENT_BITS - 1, 4)
      writer.write(linear.shift, 5)
      for (const coefficient of linear.coefficients) writer.write(coefficient, COEFFICIENT_BITS)
    }
    writeResidual(writer, residual, order, rice, bits)
  }
}

function writeResidual(writer: BitWriter, residual: Int32Array, order: number, { partitionOrder, parameters }: RicePlan, bits: number) {
  const isLarge = bits > 17
  writer.write(isLarge ? 1 : 0, 2)
  writer.write(partitionOrder, 4)
  const length = residual.length / parameters.length
  for (const [partition, parameter] of parameters.entries()) {
    writer.write(parameter, isLarge ? LARGE_PARAMETER_BITS : SMALL_PARAMETER_BITS)
    for (let index = Math.max(order, partition * length); index < (partition + 1) * length; index++)
      writer.writeRice(zigzagEncode(residual[index] as number), parameter)
  }
}

type BitWriter = ReturnType<typeof createBitWriter>

/** Writes numbers of any size in bits, the highest bit first. */
function createBitWriter(maxBytes: number) {
  const bytes = new Uint8Array(maxBytes)
  let length = 0
  /** The bits of the incomplete last byte. */
  let pendingValue = 0
  let pendingBits = 0

  /** Writes the lowest `bitCount` bits of `value`, at most 32. */
  function write(value: number, bitCount: number) {
    if (bitCount > 24) {
      write(value >>> 16, bitCount - 16)
      write(value, 16)
      return
    }
    pendingValue = (pendingValue << bitCount) | (value & ((1 << bitCount) - 1))
    pendingBits += bitCount
    while (pendingBits >= 8) {
      pendingBits -= 8
      bytes[length++] = pendingValue >>> pendingBits
    }
    pendingValue &= (1 << pendingBits) - 1
  }
  return {
    bytes,
    /** The number of complete bytes. */
    get length() {
      return length
    },
    write,
    /** Writes a number as a Rice code: its high bits as a count of zeros and a one, then `parameter` low bits. */
    writeRice(value: number, parameter: number) {
      let zeros = value >>> parameter
      if (zeros + 1 + parameter <= 24) return write((1 << parameter) | (value & ((1 << parameter) - 1)), zeros + 1 + parameter)
      for (; zeros > 24; zeros -= 24) write(0, 24)
      write(1, zeros + 1)
      write(value, parameter)
    },
    /** Fills the incomplete last byte with zeros. */
    align() {
      if (pendingBits > 0) write(0, 8 - pendingBits)
    },
  }
}
