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
export async function openFile(file: Blob): Promise<SampleSource | SourceFailure> {
  const sniffedFile = await sniffFile(createBlobSource(file))
  if (sniffedFile === undefined) return 'unknown'
  const source = await openSniffed(file, sniffedFile)
  // The server can convert files of the other types, because it has decoders that browsers lack.
  const isConvertible = sniffedFile.kind !== 'ogg' && sniffedFile.kind !== 'matroska'
  if (typeof source === 'string') return source === 'unsupported-codec' && isConvertible ? 'convertible' : source
  return { ...source, isConvertible }
}

async function openSniffed(file: Blob, sniffedFile: SniffedFile): Promise<SampleSource | SourceFailure> {
  const { kind, startByte } = sniffedFile
  const content = startByte === 0 ? file : file.slice(startByte)
  switch (kind) {
    case 'mp3':
    case 'mp2':
    case 'aac':
      return openPackets(file, sniffedFile)
    case 'wav':
      return withContent(content, (await openWav(content)) ?? 'undecodable')
    case 'aiff':
      return withContent(content, (await openAiff(content)) ?? 'undecodable')
    case 'caf':
      return withContent(content, (await openCaf(content)) ?? 'undecodable')
    case 'flac':
      return withContent(content, await openFlac(content))
    default:
      return withContent(content, await openContainer(content, kind))
  }
}

const withContent = (content: Blob, source: SampleSource | SourceFailure) => (typeof source === 'string' ? source : { content, ...source })
