import { type SniffedFile, sniffFile } from '../../../dsp/sniff.ts'
import { createBlobSource } from '../blob-source.ts'
import { openAiff } from './aiff-source.ts'
import { openCaf } from './caf-source.ts'
import { openFlac } from './flac-source.ts'
import { openContainer } from './media-source.ts'
import { openPackets } from './packet-source.ts'
import type { SampleSource, SourceFailure } from './sample-source.ts'
import { openWav } from './wav-source.ts'

/** Opens a file. The content determines the type of the file, after tags at the start have been skipped. */
export async function openFile(soundFile: Blob): Promise<SampleSource | SourceFailure> {
  const sniffedFile = await sniffFile(createBlobSource(soundFile))
  if (sniffedFile === undefined) return 'unknown'
  const sampleSource = await openSniffed(soundFile, sniffedFile)
  // The server can convert files of the other types, because it has decoders that browsers lack.
  const isConvertible = sniffedFile.kind !== 'ogg' && sniffedFile.kind !== 'matroska'
  if (typeof sampleSource === 'string') return sampleSource === 'unsupported-codec' && isConvertible ? 'convertible' : sampleSource
  return { ...sampleSource, isConvertible }
}

async function openSniffed(soundFile: Blob, sniffedFile: SniffedFile): Promise<SampleSource | SourceFailure> {
  const { kind, startByte } = sniffedFile
  const fileContent = startByte === 0 ? soundFile : soundFile.slice(startByte)
  switch (kind) {
    case 'mp3':
    case 'mp2':
    case 'aac':
      return openPackets(soundFile, sniffedFile)
    case 'wav':
      return withContent(fileContent, (await openWav(fileContent)) ?? 'undecodable')
    case 'aiff':
      return withContent(fileContent, (await openAiff(fileContent)) ?? 'undecodable')
    case 'caf':
      return withContent(fileContent, (await openCaf(fileContent)) ?? 'undecodable')
    case 'flac':
      return withContent(fileContent, await openFlac(fileContent))
    default:
      return withContent(fileContent, await openContainer(fileContent, kind))
  }
}

const withContent = (content: Blob, source: SampleSource | SourceFailure) => (typeof source === 'string' ? source : { content, ...source })
