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
export async function decodeFile(job: ConversionJob): Promise<DecodedSound | FailureCode> {
  const fileHandle = await open(job.inputFile)
  try {
    const fileSource = await createFileSource(fileHandle)
    const sniffedFile = await sniffFile(fileSource)
    // Raw samples are recognised by the name of their file only.
    if (job.demuxer === 's16le' || sniffedFile === undefined) return await decodeByFfmpeg(job, job.inputFile)
    const audioSource = await createFileSource(fileHandle, sniffedFile.startByte)
    if (sniffedFile.kind === 'wav') {
      const { format, data } = (await parseWav(audioSource)) ?? {}
      if (format !== undefined && data !== undefined && !data.isEncodedStream && isDecodableWav(format))
        return await decodeWav(job, audioSource, format, data)
    }
    return await decodeByFfmpeg(job, await prepareInput(job, fileSource, sniffedFile))
  } finally {
    await fileHandle.close()
  }
}

async function decodeWav({ samplesFile }: ConversionJob, source: ByteSource, format: WavFormat, { start, end }: WavData) {
  const samplesOutput = createSamplesFile(samplesFile, format)
  const frameBytes = (format.bitsPerSample / 8) * format.channels
  const chunkBytes = CHUNK_FRAMES * frameBytes
  for (let at = start; at + frameBytes <= end && !samplesOutput.isFull(); at += chunkBytes) {
    const bytes = await source.read(at, Math.min(end, at + chunkBytes))
    await samplesOutput.write(readWavSamples(format, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)))
  }
  return samplesOutput.finish()
}

/**
 * Returns the path of the file that ffmpeg decodes: the upload, or a copy without the bytes before its content. For MP3, AAC and FLAC, the
 * copy also lacks the bytes between the packets, because ffmpeg would either decode these bytes as packets, which may be very loud, or lose
 * the packets next to them.
 */
async function prepareInput(
  { inputFile, preparedFile }: ConversionJob,
  fileSource: ByteSource,
  { kind, startByte }: SniffedFile,
): Promise<string> {
  const hasPackets = kind === 'mp3' || kind === 'aac' || kind === 'flac'
  if (!hasPackets && startByte === 0) return inputFile
  const fileContent = await fileSource.read(0, fileSource.sizeBytes)
  const audioPackets = hasPackets ? await readPackets(fileContent, kind, startByte) : []
  const prepared = audioPackets.length === 0 ? fileContent.subarray(startByte) : joinBytes(audioPackets)
  await writeFile(preparedFile, prepared, { mode: 0o600 })
  return preparedFile
}

/**
 * Returns the packets of a file. For FLAC, a new header precedes the packets. Returns no packets if a FLAC file contains several formats,
 * because one header cannot describe all of them.
 */
async function readPackets(
  fileContent: Uint8Array<ArrayBuffer>,
  packetKind: 'mp3' | 'aac' | 'flac',
  startByte: number,
): Promise<Uint8Array[]> {
  const byteSource = createArraySource(fileContent)
  if (packetKind === 'flac') {
    const [run, ...otherRuns] = await scanFlac(byteSource)
    if (run === undefined || otherRuns.length > 0) return []
    return [buildFlacDescription(run.format), ...run.starts.map((start, index) => fileContent.subarray(start, run.ends[index]))]
  }
  const foundPackets: Uint8Array[] = []
  for (const packetRun of (await scanPackets(byteSource, startByte, packetKind)).runs) {
    const silenced = packetKind === 'mp3' ? await createSilentPackets(byteSource, packetRun) : undefined
    for (const [index, start] of packetRun.starts.entries())
      foundPackets.push(silenced?.get(index) ?? fileContent.subarray(start, start + (packetRun.sizes[index] ?? 0)))
  }
  return foundPackets
}
