import { findCodecChannelMask } from '../../../dsp/mix-down.ts'
import { type PacketRun, scanPackets } from '../../../dsp/packets.ts'
import type { SniffedFile } from '../../../dsp/sniff.ts'
import { createBlobSource } from '../blob-source.ts'
import { attenuatePacket, MP3_RESTORING_GAIN } from '../mp3-attenuation.ts'
import { repairMp3 } from '../mp3-repair.ts'
import { joinPartsAsBlob, listPacketParts } from '../packet-parts.ts'
import { copyRanges } from './copy-planes.ts'
import { joinSources } from './joined-source.ts'
import { decodePackets, isDecodable, type PacketRange } from './packet-decoder.ts'
import { isPlayableRate, type SampleSource, type SourceFailure } from './sample-source.ts'

/**
 * Opens a file of MP3 or AAC packets. Its tags, and other bytes between its packets, are left out; a file whose format changes is joined from its
 * parts. Never rejects.
 */
export async function openPackets(blob: Blob, { kind, startByte }: SniffedFile): Promise<SampleSource | SourceFailure> {
  try {
    if (kind !== 'mp3' && kind !== 'aac') return 'unsupported-codec'
    const { runs, isCut } = await scanPackets(createBlobSource(blob), startByte, kind)
    const openRun = (run: PacketRun) => (kind === 'mp3' ? openMp3(blob, run) : openAac(blob, run, isCut && run === runs.at(-1)))
    return await joinSources(runs.map((run) => () => openRun(run)))
  } catch {
    return 'undecodable'
  }
}

const listPacketEnds = ({ starts, sizes }: PacketRun) => starts.map((start, index) => start + (sizes[index] ?? 0))

/** Opens MP3 packets. The packets are attenuated before decoding, because browsers limit the decoded samples to full scale. */
async function openMp3(blob: Blob, run: PacketRun): Promise<SampleSource | SourceFailure> {
  const { sampleRate, channels, frames: packetFrames } = run.header
  const { changedPackets, gapless } = await repairMp3(createBlobSource(blob), run)
  const partsBlob = joinPartsAsBlob(blob, listPacketParts(run, changedPackets))
  // The info packet decodes to no samples.
  const infoPacketCount = gapless === undefined ? 0 : 1
  const packetCount = run.starts.length - infoPacketCount
  const skipFrames = gapless?.skipFrames ?? 0
  const isPacketCountAnnounced = gapless?.packetCount === packetCount
  const frameCount = (isPacketCountAnnounced ? gapless.frames : undefined) ?? packetCount * packetFrames - skipFrames
  const packetRange: PacketRange = {
    starts: run.starts.slice(infoPacketCount),
    ends: listPacketEnds(run).slice(infoPacketCount),
    changePacket(packet, index) {
      const data = changedPackets.get(index + infoPacketCount)?.slice() ?? packet
      attenuatePacket(data)
      return data
    },
  }
  return createSource(blob, partsBlob, run, {
    packets: packetRange,
    config: { codec: 'mp3', sampleRate, numberOfChannels: channels },
    isWorkerPreferred: false,
    sampleRate,
    channels,
    firstFrame: -skipFrames,
    frames: frameCount,
    gain: MP3_RESTORING_GAIN,
    // A file counts as truncated if its info packet announces more packets and, if it announces a number of bytes, more bytes.
    isCut: (gapless?.packetCount ?? 0) > packetCount && (gapless?.fileBytes ?? Number.POSITIVE_INFINITY) > partsBlob.size,
  })
}

async function openAac(blob: Blob, run: PacketRun, isFileCut: boolean): Promise<SampleSource | SourceFailure> {
  const { sampleRate: codedRate, channels: codedChannels } = run.header
  const packetRange: PacketRange = { starts: run.starts, ends: listPacketEnds(run) }
  const decoderConfig = { codec: 'mp4a.40.2', sampleRate: codedRate, numberOfChannels: codedChannels || 2 }
  // The rate and the number of channels are known only after decoding: HE-AAC decodes to twice the coded rate, and the data may contain the
  // number of channels.
  const decodedFormat = (await isDecodable(decoderConfig)) ? await decodeFirstSample(blob, packetRange, decoderConfig) : undefined
  const { sampleRate, channels } = decodedFormat ?? { sampleRate: codedRate, channels: decoderConfig.numberOfChannels }
  return createSource(blob, joinPartsAsBlob(blob, listPacketParts(run)), run, {
    packets: packetRange,
    config: decodedFormat && decoderConfig,
    // HE-AAC may start with silence of unknown length.
    isWorkerPreferred: decodedFormat !== undefined && sampleRate === codedRate,
    sampleRate,
    channels,
    firstFrame: 0,
    frames: Math.round((run.frames * sampleRate) / codedRate),
    gain: 1,
    isCut: isFileCut,
  })
}

/** Returns the format of the decoded samples; `undefined` if the decoder stalls or fails. */
async function decodeFirstSample(blob: Blob, packets: PacketRange, config: AudioDecoderConfig) {
  try {
    for await (const audioSample of decodePackets(blob, packets, config)) {
      const { sampleRate, numberOfChannels: channels } = audioSample
      audioSample.close()
      return { sampleRate, channels }
    }
  } catch {
    // The error is ignored, because `decodeAudioData` may still be able to decode the file.
  }
  return undefined
}

interface PacketSource {
  readonly packets: PacketRange
  /** `undefined` if the browser cannot decode single packets. */
  readonly config: AudioDecoderConfig | undefined
  readonly isWorkerPreferred: boolean
  readonly sampleRate: number
  readonly channels: number
  /** The position of the first decoded frame; the frames before 0 are the delay of the encoder. */
  readonly firstFrame: number
  readonly frames: number
  readonly gain: number
  readonly isCut: boolean
}

async function createSource(
  blob: Blob,
  fileContent: Blob,
  { afterDamage }: PacketRun,
  { packets, config, isWorkerPreferred, sampleRate, channels, firstFrame, frames, gain, isCut }: PacketSource,
): Promise<SampleSource | SourceFailure> {
  if (!isPlayableRate(sampleRate)) return 'undecodable'
  const isStreamable = config !== undefined && (await isDecodable(config))
  return {
    content: fileContent,
    facts: {
      codec: config?.codec === 'mp3' ? 'mp3' : 'other',
      isWorkerPreferred,
      isUncompressed: false,
      isStreamable,
      sampleRate,
      channels,
      channelMask: findCodecChannelMask(channels),
      expectedFrames: frames,
      declaredFrames: frames,
      isCut,
      hasGaps: afterDamage.length > 0,
    },
    ...(isStreamable && {
      chunks: () => copyRanges(decodePackets(blob, packets, config), { firstFrame, ranges: [{ start: 0, end: frames }], gain }),
    }),
  }
}
