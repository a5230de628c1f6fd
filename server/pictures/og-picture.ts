import sharp, { type Sharp } from 'sharp'
import type { Brand } from '../../brands/brand.ts'
import { MOSAIC_COVER_COUNT } from '../../contract/own-playlist-rules.ts'
import { renderMarkSvg } from './brand-mark.ts'
import { createCoverPalette, renderCoverSvg, renderInitialSvg } from './covers.ts'
import { findInitial, fitNameToLine, renderLettering } from './lettering.ts'

type ArtBrand = Pick<Brand, 'id' | 'tokens' | 'hero'>

const OG_PICTURE_SIZE = { width: 1200, height: 630 }
const INSET_BOX = { left: 120, top: 45, width: 960, height: 540 }

const encodeJpeg = (picture: Sharp) => picture.flatten().jpeg({ quality: 82, mozjpeg: true }).toBuffer()

/** Draws the Open Graph picture of an item: its picture on a cover drawn from its id and `designNumber`, or the cover alone. */
export function renderOgPicture(
  brand: ArtBrand,
  coverSeed: string,
  pictureBytes: Buffer | undefined,
  designNumber?: number,
): Promise<Buffer> {
  const coverArt = sharp(Buffer.from(renderCoverSvg(coverSeed, createCoverPalette(brand), OG_PICTURE_SIZE, designNumber)))
  if (pictureBytes === undefined) return encodeJpeg(coverArt)
  return sharp(pictureBytes)
    .resize(INSET_BOX.width, INSET_BOX.height)
    .toBuffer()
    .then((input) => encodeJpeg(coverArt.composite([{ input, left: INSET_BOX.left, top: INSET_BOX.top }])))
}

/**
 * Draws the Open Graph picture of a shared playlist: a mosaic of four covers, or the first cover alone if there are fewer. A cover without a picture is
 * drawn from its song's id. The cover of a playlist without songs is drawn from `coverSeed`.
 */
export async function renderMosaicPicture(
  brand: ArtBrand,
  coverSeed: string,
  mosaicCovers: readonly { id: string; picture: Buffer | undefined }[],
): Promise<Buffer> {
  const [firstCover] = mosaicCovers
  if (firstCover === undefined || mosaicCovers.length < MOSAIC_COVER_COUNT)
    return renderOgPicture(brand, firstCover?.id ?? coverSeed, firstCover?.picture)
  const brandPalette = createCoverPalette(brand)
  const tileWidth = OG_PICTURE_SIZE.width / 2
  const tileHeight = OG_PICTURE_SIZE.height / 2
  const mosaicTiles = mosaicCovers.slice(0, MOSAIC_COVER_COUNT).map(async (mosaicCover, index) => ({
    input: await sharp(
      mosaicCover.picture ?? Buffer.from(renderCoverSvg(mosaicCover.id, brandPalette, { width: tileWidth, height: tileHeight })),
    )
      .resize(tileWidth, tileHeight, { fit: 'cover' })
      .png()
      .toBuffer(),
    left: (index % 2) * tileWidth,
    top: Math.floor(index / 2) * tileHeight,
  }))
  const background = sharp({ create: { ...OG_PICTURE_SIZE, channels: 3, background: brand.tokens['surface-0'] } })
  return encodeJpeg(background.composite(await Promise.all(mosaicTiles)))
}

const PORTRAIT_SIZE_PX = 240
const PORTRAIT_RING_WIDTH_PX = 8
const MARGIN_PX = 60

interface WebsiteCard {
  id: string
  name: string
  /** The website's address, without the scheme. */
  address: string
  banner: Buffer | undefined
  portrait: Buffer | undefined
}

/** The name and the URL at the foot of a card, on a ground that keeps them readable over any banner. */
function renderCardWords(brand: ArtBrand, { name, address }: WebsiteCard, leftPx: number): Buffer {
  const { width, height } = OG_PICTURE_SIZE
  const { text, muted, 'surface-0': backgroundColour } = brand.tokens
  const maxWidth = width - leftPx - MARGIN_PX
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
      `<linearGradient id="g" x1="0" y1="0" x2="0" y2="1"><stop offset="0.25" stop-color="${backgroundColour}" stop-opacity="0"/><stop offset="0.7" stop-color="${backgroundColour}" stop-opacity="0.92"/></linearGradient>` +
      `<rect width="${width}" height="${height}" fill="url(#g)"/>` +
      renderLettering(fitNameToLine(name), { x: leftPx, y: height - 148, size: 92, maxWidth, color: text }) +
      renderLettering(fitNameToLine(address), { x: leftPx, y: height - 84, size: 36, maxWidth, color: muted }) +
      '</svg>',
  )
}

/** Draws the Open Graph picture of a website: its banner over the whole picture, its portrait in a circle, its name and its address. */
export async function renderWebsitePicture(brand: ArtBrand, card: WebsiteCard): Promise<Buffer> {
  const { id, name, banner, portrait: uploadedPortrait } = card
  const { width, height } = OG_PICTURE_SIZE
  const brandPalette = createCoverPalette(brand)
  const backgroundArt = banner ?? Buffer.from(renderCoverSvg(id, brandPalette, OG_PICTURE_SIZE))
  const backgroundPng = sharp(await sharp(backgroundArt).resize(width, height, { fit: 'cover' }).png().toBuffer())
  const initialLetter = findInitial(name)
  const portraitArt =
    uploadedPortrait ??
    (initialLetter === undefined ? undefined : Buffer.from(renderInitialSvg(initialLetter, id, brandPalette, PORTRAIT_SIZE_PX)))
  if (portraitArt === undefined) return encodeJpeg(backgroundPng.composite([{ input: renderCardWords(brand, card, MARGIN_PX) }]))
  const outerSize = PORTRAIT_SIZE_PX + 2 * PORTRAIT_RING_WIDTH_PX
  const renderCircle = (size: number, color: string) =>
    Buffer.from(`<svg width="${size}" height="${size}"><circle cx="${size / 2}" cy="${size / 2}" r="${size / 2}" fill="${color}"/></svg>`)
  const roundPortrait = await sharp(portraitArt)
    .resize(PORTRAIT_SIZE_PX, PORTRAIT_SIZE_PX, { fit: 'cover' })
    .ensureAlpha()
    .composite([{ input: renderCircle(PORTRAIT_SIZE_PX, '#fff'), blend: 'dest-in' }])
    .png()
    .toBuffer()
  const [leftPx, topPx] = [MARGIN_PX, height - outerSize - MARGIN_PX]
  return encodeJpeg(
    backgroundPng.composite([
      { input: renderCardWords(brand, card, MARGIN_PX + outerSize + 36) },
      { input: renderCircle(outerSize, brand.tokens['surface-0']), left: leftPx, top: topPx },
      { input: roundPortrait, left: leftPx + PORTRAIT_RING_WIDTH_PX, top: topPx + PORTRAIT_RING_WIDTH_PX },
    ]),
  )
}

/** Draws the Open Graph picture of the site: the brand's mark over concentric grooves. */
export function renderSitePicture(brand: ArtBrand): Promise<Buffer> {
  const { tokens } = brand
  const grooveCircles = Array.from(
    { length: 24 },
    (_, index) =>
      `<circle cx="600" cy="315" r="${230 + index * 22}" fill="none" stroke="${index % 7 === 3 ? tokens['line-2'] : tokens.line}" stroke-width="${index % 7 === 3 ? 4 : 2}"/>`,
  )
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630"><rect width="1200" height="630" fill="${tokens['surface-0']}"/>` +
    `${grooveCircles.join('')}${renderMarkSvg(brand, { x: 405, y: 120, size: 390 })}</svg>`
  return encodeJpeg(sharp(Buffer.from(svg)))
}
