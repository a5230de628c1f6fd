import type { VideoDesign, VideoStyle } from '../../engine/engine.ts'
import type { DrawnCover } from '../../primitives/drawn-cover.ts'
import { readBrandFont, readBrandTokens, readTextFont } from '../../ui/brand-canvas.ts'

/** Reads the brand's colours and fonts from the page's CSS custom properties. */
export function readVideoStyle(): VideoStyle {
  const readToken = readBrandTokens()
  return {
    accent: readToken('accent'),
    secondAccent: readToken('accent-2'),
    text: readToken('text'),
    shade: readToken('surface-0'),
    titleFont: readBrandFont('display'),
    artistFont: readTextFont('500'),
  }
}

/** Describes a cover in the brand's colours, in the size of the video. */
export function describeCover({ width, height }: Pick<VideoDesign, 'width' | 'height'>, seed: string): DrawnCover {
  const token = readBrandTokens()
  return { width, height, seed, colours: [token('art-1'), token('art-2'), token('art-3'), token('art-4')] }
}
