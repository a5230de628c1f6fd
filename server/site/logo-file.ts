import { readFile, stat } from 'node:fs/promises'
import sharp from 'sharp'
import { CommandError, toPrintable } from '../admin/command.ts'
import type { Storage } from '../storage/open.ts'
import { type LogoType, logoTypes } from './logo-types.ts'

const MAX_LOGO_BYTES = 256 * 1024
const LOGO_TYPE_BY_FORMAT: Readonly<Record<string, LogoType>> = { svg: 'svg', png: 'png', webp: 'webp', jpeg: 'jpg' }

/** The prefix of the addresses of stored logos. */
const LOGO_PREFIX = '/img/logo/'

/**
 * Whether a value of `LOGO` is the path of a file. A URL is not, and neither is an absolute path at which no file exists, because that is an
 * address on the site.
 */
export async function isLogoFile(storedValue: string): Promise<boolean> {
  if (storedValue === '' || /^[a-z]+:/i.test(storedValue) || storedValue.startsWith(LOGO_PREFIX)) return false
  return (
    !storedValue.startsWith('/') ||
    (await stat(storedValue)
      .then((entry) => entry.isFile())
      .catch(() => false))
  )
}

/** Reads the metadata of a picture. Rejects if the bytes are no picture. */
const readFormat = async (bytes: Buffer) => sharp(bytes, { limitInputPixels: 4096 * 4096 }).metadata()

/**
 * Stores the picture of a file and returns its address. The type is detected from the content. An SVG is stored unchanged. Its scripts cannot run:
 * pages show it as `<img>`, and the Content Security Policy of its address allows none.
 *
 * @throws CommandError if the file is no picture or too large
 */
export async function storeLogo({ settings }: Storage, filePath: string): Promise<string> {
  const printablePath = toPrintable(filePath)
  const fileStats = await stat(filePath).catch(() => undefined)
  if (fileStats?.isFile() !== true) throw new CommandError(`The file '${printablePath}' cannot be read`)
  if (fileStats.size > MAX_LOGO_BYTES) throw new CommandError(`The file '${printablePath}' is larger than ${MAX_LOGO_BYTES / 1024} KiB`)
  const fileBytes = await readFile(filePath)
  const { format } = await readFormat(fileBytes).catch(() => ({ format: undefined }))
  // Compressed SVG (gzip) is refused, because it would have to be sent with the header `Content-Encoding`.
  const isCompressedSvg = fileBytes[0] === 0x1f && fileBytes[1] === 0x8b
  const logoType = format === undefined || isCompressedSvg ? undefined : LOGO_TYPE_BY_FORMAT[format]
  if (logoType === undefined)
    throw new CommandError(`The file '${printablePath}' is no picture of the type ${Object.keys(logoTypes).join(', ')}`)
  return `${LOGO_PREFIX}${await settings.putLogo(logoType, fileBytes)}.${logoType}`
}
