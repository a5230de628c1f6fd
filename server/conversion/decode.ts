import { open, writeFile } from 'node:fs/promises'
import { type ByteSource, createArraySource, joinBytes } from '../../dsp/byte-source.ts'
import { createSilentPackets } from '../../dsp/damaged-packets.ts'
import { buildFlacDescription, scanFlac } from '../../dsp/flac-packets.ts'
import { scanPackets } from '../../dsp/packets.ts'
import { isDecodableWav, parseWav, readWavSamples, type WavData, type WavFormat } from '../../dsp/read-wav.ts'
import { type SniffedFile, sniffFile } from '../../dsp/sniff.ts'
import { decodeByFfmpeg } from './ffmpeg.ts'
import type { ConversionJob, FailureCode } from './job.ts'
import { createSamplesFile, type DecodedSound } from './samples-file.ts'
import { createFileSource } from './sniff.ts'

/** The number of frames that are read from a WAV file at a time. */
const CHUNK_FRAMES = 2 ** 16

/** Decodes the upload into `samplesFile`. Resolves with the decoded sound, or with the code of the failure. */
export async function decode(job: ConversionJob): Promise<DecodedSound | FailureCode> {
  const handle = await open(job.inputFile)
  try {
    const file = await createFileSource(handle)
    const sniffed = await sniffFile(file)
    // Raw samples are known by their name only.
    if (job.demuxer === 's16le' || sniffed === undefined) return await decodeByFfmpeg(job, job.inputFile)
    const source = await createFileSource(handle, sniffed.startByte)
    if (sniffed.kind === 'wav') {
      const { format, data } = (await parseWav(source)) ?? {}
      if (format !== undefined && data !== undefined && !data.isEncodedStream && isDecodableWav(format))
        return await decodeWav(job, source, format, data)
    }
    return await decodeByFfmpeg(job, await prepareInput(job, file, sniffed))
  } finally {
    await handle.close()
  }
}

async function decodeWav({ samplesFile }: ConversionJob, source: ByteSource, format: WavFormat, { start, end }: WavData) {
  const file = createSamplesFile(samplesFile, format)
  const frameBytes = (format.bitsPerSample / 8) * format.channels
  const chunkBytes = CHUNK_FRAMES * frameBytes
  for (let at = start; at + frameBytes <= end && !file.isFull(); at += chunkBytes) {
    const bytes = await source.read(at, Math.min(end, at + chunkBytes))
    await file.write(readWavSamples(format, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)))
  }
  return file.finish()
}

/**
 * Returns the path of the file that ffmpeg decodes: the upload, or a copy without the bytes before its content. For MP3, AAC and FLAC, the
 * copy also lacks the bytes between the packets, because ffmpeg would either decode these bytes as packets, which may be very loud, or lose
 * the packets next to them.
 */
async function prepareInput(
  { inputFile, preparedFile }: ConversionJob,
  file: ByteSource,
  { kind, startByte }: SniffedFile,
): Promise<string> {
  const hasPackets = kind === 'mp3' || kind === 'aac' || kind === 'flac'
  if (!hasPackets && startByte === 0) return inputFile
  const content = await file.read(0, file.sizeBytes)
  const packets = hasPackets ? await readPackets(content, kind, startByte) : []
  const prepared = packets.length === 0 ? content.subarray(startByte) : joinBytes(packets)
  await writeFile(preparedFile, prepared, { mode: 0o600 })
  return preparedFile
}

/**
 * Returns the packets of a file. For FLAC, a new header precedes the packets. Returns no packets if a FLAC file contains several formats,
 * because one header cannot describe all of them.
 */
async function readPackets(content: Uint8Array<ArrayBuffer>, kind: 'mp3' | 'aac' | 'flac', startByte: number): Promise<Uint8Array[]> {
  const source = createArraySource(content)
  if (kind === 'flac') {
    const [run, ...otherRuns] = await scanFlac(source)
    if (run === undefined || otherRuns.length > 0) return []
    return [buildFlacDescription(run.format), ...run.starts.map((start, index) => content.subarray(start, run.ends[index]))]
  }
  const packets: Uint8Array[] = []
  for (const run of (await scanPackets(source, startByte, kind)).runs) {
    const silenced = kind === 'mp3' ? await createSilentPackets(source, run) : undefined
    for (const [index, start] of run.starts.entries())
      packets.push(silenced?.get(index) ?? content.subarray(start, start + (run.sizes[index] ?? 0)))
  }
  return packets
}
