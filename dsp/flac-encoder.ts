import { crc8, crc16, type FlacFormat, SAMPLE_BITS_BY_CODE, SAMPLE_RATE_BY_CODE } from './flac-packets.ts'

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
/** The largest absolute value of a residual that can be coded: twice this value still fits into 32 bits. */
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
  readonly bitCount: number
}

/**
 * Encodes consecutive frames. `channelSamples` are one or two arrays of integers of `bitsPerSample`, whose length is a multiple of FLAC_PACKET_FRAMES
 * unless the sound ends with them. `firstFrame` is their place in the sound, a multiple of FLAC_PACKET_FRAMES.
 */
export function encodeFlacPackets(
  channelSamples: readonly Int32Array[],
  format: Pick<FlacFormat, 'sampleRate' | 'bitsPerSample'>,
  firstFrame: number,
): Uint8Array<ArrayBuffer> {
  const frameCount = channelSamples[0]?.length ?? 0
  const packetCount = Math.ceil(frameCount / FLAC_PACKET_FRAMES)
  // The writer has space for packets of the largest size: their samples and some bytes each. A difference of two channels needs one more bit.
  const writer = createBitWriter(packetCount * 64 + Math.ceil((frameCount * channelSamples.length * (format.bitsPerSample + 1)) / 8))
  for (let start = 0; start < frameCount; start += FLAC_PACKET_FRAMES) {
    const packet = channelSamples.map((samples) => samples.subarray(start, start + FLAC_PACKET_FRAMES))
    writePacket(writer, packet, format, (firstFrame + start) / FLAC_PACKET_FRAMES)
  }
  return writer.bytes.subarray(0, writer.length)
}

function writePacket(
  writer: BitWriter,
  channelSamples: readonly Int32Array[],
  { sampleRate, bitsPerSample }: Pick<FlacFormat, 'sampleRate' | 'bitsPerSample'>,
  packetNumber: number,
) {
  const startByte = writer.length
  const frameCount = channelSamples[0]?.length ?? 0
  const { code, contents } = chooseChannels(channelSamples)
  const [SYNC_CODE, STANDARD_BLOCK_SIZE, BLOCK_SIZE_FOLLOWS] = [0xfff8, 12, 7]
  writer.write(SYNC_CODE, 16)
  writer.write(frameCount === FLAC_PACKET_FRAMES ? STANDARD_BLOCK_SIZE : BLOCK_SIZE_FOLLOWS, 4)
  // The code 0 means that the sampling rate is in the file's header.
  writer.write(Math.max(0, SAMPLE_RATE_BY_CODE.indexOf(sampleRate)), 4)
  writer.write(code, 4)
  writer.write(SAMPLE_BITS_BY_CODE.indexOf(bitsPerSample) << 1, 4)
  for (const byte of encodePacketNumber(packetNumber)) writer.write(byte, 8)
  if (frameCount !== FLAC_PACKET_FRAMES) writer.write(frameCount - 1, 16)
  writer.write(crc8(writer.bytes, startByte, writer.length), 8)
  for (const { samples, isSide } of contents) {
    const bits = bitsPerSample + (isSide ? 1 : 0)
    writeSubframe(writer, planSubframe(samples, bits), bits)
  }
  writer.align()
  writer.write(crc16(writer.bytes, startByte, writer.length), 16)
}

/** Returns the number of a packet coded like a character of UTF-8 of up to 7 bytes. */
function encodePacketNumber(packetNumber: number): number[] {
  if (packetNumber < 0x80) return [packetNumber]
  const followingBytes: number[] = []
  let remainingNumber = packetNumber
  // Besides its marker, the first byte holds bits of the number: 6, less one for each following byte.
  for (; remainingNumber >= 2 ** (6 - followingBytes.length); remainingNumber = Math.floor(remainingNumber / 64))
    followingBytes.unshift(0x80 | (remainingNumber % 64))
  const marker = (0xff << (7 - followingBytes.length)) & 0xff
  return [marker | remainingNumber, ...followingBytes]
}

/** Chooses the representation of two channels that has the smallest second differences. */
function chooseChannels(channelSamples: readonly Int32Array[]) {
  const [leftSamples, rightSamples] = channelSamples
  if (leftSamples === undefined || rightSamples === undefined)
    return { code: 0, contents: channelSamples.map((samples) => ({ samples, isSide: false })) }
  const [middleSamples, sideSamples] = [new Int32Array(leftSamples.length), new Int32Array(leftSamples.length)]
  for (let index = 0; index < leftSamples.length; index++) {
    middleSamples[index] = ((leftSamples[index] as number) + (rightSamples[index] as number)) >> 1
    sideSamples[index] = (leftSamples[index] as number) - (rightSamples[index] as number)
  }
  const stereoSignals = { left: leftSamples, right: rightSamples, middle: middleSamples, side: sideSamples }
  const bitsBySignal = {
    left: sumSecondDifferences(leftSamples),
    right: sumSecondDifferences(rightSamples),
    middle: sumSecondDifferences(middleSamples),
    side: sumSecondDifferences(sideSamples),
  }
  const stereoMode = STEREO_MODES.reduce((best, each) =>
    bitsBySignal[each.first] + bitsBySignal[each.second] < bitsBySignal[best.first] + bitsBySignal[best.second] ? each : best,
  )
  return {
    code: stereoMode.code,
    contents: [stereoMode.first, stereoMode.second].map((name) => ({ samples: stereoSignals[name], isSide: name === 'side' })),
  }
}

function sumSecondDifferences(samples: Int32Array): number {
  let sum = 0
  for (let index = 2; index < samples.length; index++)
    sum += Math.abs((samples[index] as number) - 2 * (samples[index - 1] as number) + (samples[index - 2] as number))
  return sum
}

function planSubframe(samples: Int32Array, sampleBits: number): Subframe {
  const [firstSample = 0] = samples
  if (samples.every((sample) => sample === firstSample)) return { kind: 'constant', value: firstSample }
  const parameterBits = sampleBits > 17 ? LARGE_PARAMETER_BITS : SMALL_PARAMETER_BITS
  let bestSubframe: Subframe = { kind: 'verbatim', samples }
  let bestBitCount = samples.length * sampleBits
  for (const triedPrediction of [predictFixed(samples), predictLinear(samples)]) {
    if (triedPrediction === undefined) continue
    const { order, linear, residual } = triedPrediction
    const ricePlan = planRice(residual, order, parameterBits)
    const totalBits = ricePlan.bitCount + order * sampleBits + (linear === undefined ? 0 : 9 + order * COEFFICIENT_BITS)
    if (totalBits >= bestBitCount) continue
    bestBitCount = totalBits
    bestSubframe = { kind: 'predicted', samples, ...triedPrediction, rice: ricePlan }
  }
  return bestSubframe
}

/** Predicts samples by the polynomial through the last samples. Chooses the order with the smallest residual. */
function predictFixed(samples: Int32Array): Prediction | undefined {
  const maxOrder = Math.min(MAX_FIXED_ORDER, samples.length - 1)
  let differenceSamples = samples
  let bestPrediction: Prediction | undefined
  let bestSum = Number.POSITIVE_INFINITY
  for (let orderIndex = 0; orderIndex <= maxOrder; orderIndex++) {
    if (orderIndex > 0) differenceSamples = computeDifferences(differenceSamples)
    let sum = 0
    for (let index = maxOrder; index < differenceSamples.length; index++) sum += Math.abs(differenceSamples[index] as number)
    if (sum >= bestSum) continue
    bestSum = sum
    bestPrediction = { order: orderIndex, linear: undefined, residual: differenceSamples }
  }
  return bestPrediction
}

function computeDifferences(samples: Int32Array): Int32Array {
  const result = new Int32Array(samples.length)
  for (let index = samples.length - 1; index > 0; index--) result[index] = (samples[index] as number) - (samples[index - 1] as number)
  return result
}

/** Predicts by the coefficients that fit the samples best, by the method of autocorrelation. Undefined if they cannot be stored. */
function predictLinear(samples: Int32Array): Prediction | undefined {
  if (samples.length <= 2 * PREDICTION_ORDER) return undefined
  const exactCoefficients = solveLevinsonDurbin(autocorrelate(samples))
  const largestCoefficient = Math.max(...exactCoefficients.map(Math.abs))
  let coefficientShift = MAX_COEFFICIENT_SHIFT
  const coefficientLimit = 2 ** (COEFFICIENT_BITS - 1) - 1
  while (coefficientShift > 0 && largestCoefficient * 2 ** coefficientShift > coefficientLimit) coefficientShift--
  if (!(largestCoefficient * 2 ** coefficientShift <= coefficientLimit)) return undefined
  // The error of each rounding is added to the next coefficient.
  let roundingError = 0
  const roundedCoefficients = exactCoefficients.map((coefficient) => {
    roundingError += coefficient * 2 ** coefficientShift
    const rounded = Math.max(-coefficientLimit, Math.min(coefficientLimit, Math.round(roundingError)))
    roundingError -= rounded
    return rounded
  })
  const residual = computeLinearResidual(samples, roundedCoefficients, coefficientShift)
  return residual && { order: PREDICTION_ORDER, linear: { coefficients: roundedCoefficients, shift: coefficientShift }, residual }
}

/** Returns the autocorrelation of lags 0 to PREDICTION_ORDER of the samples, weighted by a parabola (Welch's window). */
function autocorrelate(samples: Int32Array): Float64Array {
  const centreIndex = (samples.length - 1) / 2
  const weightedSamples = new Float64Array(samples.length)
  for (let index = 0; index < samples.length; index++) {
    const place = (index - centreIndex) / (centreIndex + 1)
    weightedSamples[index] = (samples[index] as number) * (1 - place * place)
  }
  const lagSums = new Float64Array(PREDICTION_ORDER + 1)
  for (let lagFrames = 0; lagFrames <= PREDICTION_ORDER; lagFrames++) {
    let sum = 0
    for (let index = lagFrames; index < weightedSamples.length; index++)
      sum += (weightedSamples[index] as number) * (weightedSamples[index - lagFrames] as number)
    lagSums[lagFrames] = sum
  }
  return lagSums
}

/** Solves the normal equations of a linear prediction (J. Durbin, "The fitting of time-series models", 1960). */
function solveLevinsonDurbin(autocorrelation: Float64Array): number[] {
  const readCorrelationAt = (lag: number) => autocorrelation[lag] ?? 0
  let predictorCoefficients: number[] = []
  let predictionError = readCorrelationAt(0)
  for (let orderIndex = 0; orderIndex < PREDICTION_ORDER; orderIndex++) {
    const reflectionCoefficient =
      predictionError === 0
        ? 0
        : (readCorrelationAt(orderIndex + 1) -
            predictorCoefficients.reduce((sum, each, index) => sum + each * readCorrelationAt(orderIndex - index), 0)) /
          predictionError
    const previousCoefficients = predictorCoefficients
    predictorCoefficients = [
      ...previousCoefficients.map((each, index) => each - reflectionCoefficient * (previousCoefficients[orderIndex - 1 - index] ?? 0)),
      reflectionCoefficient,
    ]
    predictionError *= 1 - reflectionCoefficient * reflectionCoefficient
  }
  return predictorCoefficients
}

/** Returns undefined if a residual is too large. Sums are exact, because they are smaller than 2^53. */
function computeLinearResidual(
  samples: Int32Array,
  predictorCoefficients: readonly number[],
  coefficientShift: number,
): Int32Array | undefined {
  const residualSamples = new Int32Array(samples.length)
  const coefficientWeights = Float64Array.from(predictorCoefficients)
  const weightScale = 2 ** -coefficientShift
  let isSampleTooLarge = false
  for (let index = PREDICTION_ORDER; index < samples.length; index++) {
    let sum = 0
    for (let lag = 0; lag < PREDICTION_ORDER; lag++) sum += (coefficientWeights[lag] as number) * (samples[index - 1 - lag] as number)
    const difference = (samples[index] as number) - Math.floor(sum * weightScale)
    if (difference >= MAX_RESIDUAL || difference <= -MAX_RESIDUAL) isSampleTooLarge = true
    residualSamples[index] = difference
  }
  return isSampleTooLarge ? undefined : residualSamples
}

/** The sizes of a Rice parameter (RFC 9639, 9.2.7). The largest value means that no parameter is used. */
const SMALL_PARAMETER_BITS = 4
const LARGE_PARAMETER_BITS = 5

/** Returns a residual as a number without sign: 0, -1, 1, -2 … become 0, 1, 2, 3 … */
const encodeZigzag = (residual: number): number => ((residual << 1) ^ (residual >> 31)) >>> 0

/** Chooses the partitions of a residual and their Rice parameters. */
function planRice(residualSamples: Int32Array, predictionOrder: number, parameterBits: number): RicePlan {
  let partitionOrder = 0
  const isPartitionDivisible = (by: number) => residualSamples.length % 2 ** by === 0 && residualSamples.length / 2 ** by > predictionOrder
  while (partitionOrder < MAX_PARTITION_ORDER && isPartitionDivisible(partitionOrder + 1)) partitionOrder++
  let residualSums = sumPartitions(residualSamples, predictionOrder, partitionOrder)
  let bestPlan: RicePlan | undefined
  for (; ; partitionOrder--) {
    const ricePlan = planPartitions(residualSums, residualSamples.length, predictionOrder, parameterBits, partitionOrder)
    if (bestPlan === undefined || ricePlan.bitCount < bestPlan.bitCount) bestPlan = ricePlan
    if (partitionOrder === 0) return bestPlan
    residualSums = Float64Array.from(
      { length: residualSums.length / 2 },
      (_, index) => (residualSums[2 * index] ?? 0) + (residualSums[2 * index + 1] ?? 0),
    )
  }
}

function sumPartitions(residualSamples: Int32Array, predictionOrder: number, partitionOrder: number): Float64Array {
  const partitionFrames = residualSamples.length / 2 ** partitionOrder
  return Float64Array.from({ length: 2 ** partitionOrder }, (_, partitionIndex) => {
    let sum = 0
    for (let index = Math.max(predictionOrder, partitionIndex * partitionFrames); index < (partitionIndex + 1) * partitionFrames; index++)
      sum += encodeZigzag(residualSamples[index] as number)
    return sum
  })
}

function planPartitions(
  residualSums: Float64Array,
  blockFrameCount: number,
  predictionOrder: number,
  parameterBits: number,
  partitionOrder: number,
): RicePlan {
  const riceParameters: number[] = []
  let totalBits = 6
  for (const [partitionIndex, sum] of residualSums.entries()) {
    const frameCount = blockFrameCount / residualSums.length - (partitionIndex === 0 ? predictionOrder : 0)
    const countBitsWithParameter = (parameter: number) => frameCount * (parameter + 1) + Math.floor(sum / 2 ** parameter)
    // The best parameter is near the binary logarithm of the mean.
    const largestParameter = 2 ** parameterBits - 2
    const parameterEstimate = Math.min(largestParameter, Math.max(0, 31 - Math.clz32(frameCount === 0 ? 0 : sum / frameCount)))
    const riceParameter =
      parameterEstimate > 0 && countBitsWithParameter(parameterEstimate - 1) < countBitsWithParameter(parameterEstimate)
        ? parameterEstimate - 1
        : parameterEstimate
    riceParameters.push(riceParameter)
    totalBits += parameterBits + countBitsWithParameter(riceParameter)
  }
  return { partitionOrder, parameters: riceParameters, bitCount: totalBits }
}

function writeSubframe(writer: BitWriter, subframe: Subframe, sampleBits: number) {
  const [CONSTANT, VERBATIM, FIXED, LINEAR] = [0, 1, 8, 32]
  const writeSubframeType = (type: number) => writer.write(type << 1, 8)
  if (subframe.kind === 'constant') {
    writeSubframeType(CONSTANT)
    writer.write(subframe.value, sampleBits)
  } else if (subframe.kind === 'verbatim') {
    writeSubframeType(VERBATIM)
    for (const sample of subframe.samples) writer.write(sample, sampleBits)
  } else {
    const { order, linear, samples, residual, rice } = subframe
    writeSubframeType(linear === undefined ? FIXED + order : LINEAR + order - 1)
    for (const sample of samples.subarray(0, order)) writer.write(sample, sampleBits)
    if (linear !== undefined) {
      writer.write(COEFFICIENT_BITS - 1, 4)
      writer.write(linear.shift, 5)
      for (const coefficient of linear.coefficients) writer.write(coefficient, COEFFICIENT_BITS)
    }
    writeResidual(writer, residual, order, rice, sampleBits)
  }
}

function writeResidual(
  writer: BitWriter,
  residualSamples: Int32Array,
  predictionOrder: number,
  { partitionOrder, parameters }: RicePlan,
  sampleBits: number,
) {
  const isLargeSample = sampleBits > 17
  writer.write(isLargeSample ? 1 : 0, 2)
  writer.write(partitionOrder, 4)
  const partitionFrames = residualSamples.length / parameters.length
  for (const [partitionIndex, riceParameter] of parameters.entries()) {
    writer.write(riceParameter, isLargeSample ? LARGE_PARAMETER_BITS : SMALL_PARAMETER_BITS)
    for (let index = Math.max(predictionOrder, partitionIndex * partitionFrames); index < (partitionIndex + 1) * partitionFrames; index++)
      writer.writeRice(encodeZigzag(residualSamples[index] as number), riceParameter)
  }
}

type BitWriter = ReturnType<typeof createBitWriter>

/** Writes numbers of any size in bits, the highest bit first. */
function createBitWriter(maxBytes: number) {
  const packetBytes = new Uint8Array(maxBytes)
  let byteLength = 0
  /** The bits of the incomplete last byte. */
  let incompleteByte = 0
  let pendingBitCount = 0

  /** Writes the lowest `bitCount` bits of `bitField`, at most 32. */
  function writeBits(bitField: number, bitCount: number) {
    if (bitCount > 24) {
      writeBits(bitField >>> 16, bitCount - 16)
      writeBits(bitField, 16)
      return
    }
    incompleteByte = (incompleteByte << bitCount) | (bitField & ((1 << bitCount) - 1))
    pendingBitCount += bitCount
    while (pendingBitCount >= 8) {
      pendingBitCount -= 8
      packetBytes[byteLength++] = incompleteByte >>> pendingBitCount
    }
    incompleteByte &= (1 << pendingBitCount) - 1
  }
  return {
    bytes: packetBytes,
    /** The number of complete bytes. */
    get length() {
      return byteLength
    },
    write: writeBits,
    /** Writes a number as a Rice code: its high bits as a count of zeros and a one, then `riceParameter` low bits. */
    writeRice(signedValue: number, riceParameter: number) {
      let zeroCount = signedValue >>> riceParameter
      if (zeroCount + 1 + riceParameter <= 24)
        return writeBits((1 << riceParameter) | (signedValue & ((1 << riceParameter) - 1)), zeroCount + 1 + riceParameter)
      for (; zeroCount > 24; zeroCount -= 24) writeBits(0, 24)
      writeBits(1, zeroCount + 1)
      writeBits(signedValue, riceParameter)
    },
    /** Fills the incomplete last byte with zeros. */
    align() {
      if (pendingBitCount > 0) writeBits(0, 8 - pendingBitCount)
    },
  }
}
