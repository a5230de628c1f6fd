import type { DrawnCover } from '../../primitives/drawn-cover.ts'

/** The choices of the person for a video of the finished sound. */
export interface VideoDesign {
  readonly width: number
  readonly height: number
  readonly picture: VideoPicture
  /** Whether a picture moves slowly. Animations and clips always play in a loop. */
  readonly motion: 'still' | 'glide'
  readonly overlay: VideoOverlay
  /** The text at the lower edge; empty lines are left out. */
  readonly title: string
  readonly artist: string
  readonly style: VideoStyle
  readonly sound: VideoSound
}

/** A picture, an animation or a clip, of which the middle is shown if its shape differs from the video's; or a cover that is drawn. */
export type VideoPicture = Blob | DrawnCover

/** What is drawn over the picture, following the sound. */
export type VideoOverlay = 'none' | 'wave' | 'ring'

/** The sound track: compressed, which every player plays, or PCM, for video platforms that compress it themselves. */
export type VideoSound = 'compressed' | 'lossless'

/** Colours and type of the brand, as CSS values. */
export interface VideoStyle {
  readonly accent: string
  readonly secondAccent: string
  readonly text: string
  readonly shade: string
  readonly titleFont: VideoFont
  readonly artistFont: VideoFont
}

export interface VideoFont {
  readonly family: string
  readonly weight: string
  /** A keyword of `font-stretch`. */
  readonly stretch: CanvasFontStretch
}

/** The format of the videos that this browser makes. */
export interface VideoFormat {
  readonly container: 'mp4' | 'webm' | 'mov'
  /** The codec string of the video track, as in WebCodecs. */
  readonly videoCodec: string
  /** `realtime` if the browser's encoder would otherwise store pictures in another order than they are shown. */
  readonly latencyMode: LatencyMode
}

/** The media type of a video file, by its container format. */
export const VIDEO_MIME_TYPES = { mp4: 'video/mp4', mov: 'video/quicktime', webm: 'video/webm' } as const

export type OpenPictureResult =
  | { readonly kind: 'opened'; readonly picture: PreviewPicture }
  /** The browser cannot decode the file. */
  | { readonly kind: 'undecodable' }

/** A picture whose first frame the studio holds for previews. */
export interface PreviewPicture {
  readonly id: number
  readonly source: VideoPicture
  /** The length of an animation or a clip in seconds; 0 for a picture. */
  readonly durationS: number
}

export interface VideoOptions {
  /** The file that the video is written to; without it the video is in the result. */
  readonly handle?: FileSystemFileHandle | undefined
}

/** The functions by which a page lets a person design a video. */
export interface VideoStudio {
  openPicture(source: VideoPicture): Promise<OpenPictureResult>
  /** Releases the picture, which cannot be painted afterwards. */
  closePicture(picture: PreviewPicture): void
  /** Finds the video format that this browser can encode; `undefined` if it can encode none. */
  findFormat(size: Pick<VideoDesign, 'width' | 'height'>, sound: VideoSound): Promise<VideoFormat | undefined>
  /** Paints a frame of the video, in the size of the video. */
  paintPreview(design: VideoDesign, picture: PreviewPicture): Promise<ImageBitmap>
  /** Releases the pictures and workers of the studio, which cannot be used afterwards. */
  dispose(): void
}
