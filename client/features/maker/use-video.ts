import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Engine, ShownPicture, VideoDesign, VideoFormat, VideoSound, VideoStudio } from '../../engine/engine.ts'
import { chooseFileHandle, saveFile, supportsSaveFilePicker } from '../../platform/save-file.ts'
import { listen } from '../../primitives/scope.ts'
import { filesOfEvent } from './open-file.tsx'
import { type ExportOutcome, useTrackedExport } from './use-maker-export.ts'
import { drawCover } from './video-style.ts'

/** Where the picture of a video comes from. */
export type PictureKind = 'cover' | 'drawn' | 'own'

export interface VideoPictures {
  /** The pictures that can be chosen. */
  readonly pictures: Partial<Record<PictureKind, ShownPicture>>
  readonly chosen: PictureKind
  choose(kind: PictureKind): void
  /** Takes a file of the person. Resolves with whether it is a picture or a clip that the browser can decode. */
  addOwn(file: Blob): Promise<boolean>
}

/** Opens the video studio while `isOpen`. `failed`: its code could not be loaded. */
export function useVideoStudio(engine: Engine, isOpen: boolean): VideoStudio | 'opening' | 'failed' {
  const [studio, setStudio] = useState<VideoStudio | 'opening' | 'failed'>('opening')
  useEffect(() => {
    if (!isOpen) return
    let isStale = false
    let opened: VideoStudio | undefined
    engine.openVideoStudio().then(
      (newStudio) => {
        opened = newStudio
        if (isStale) newStudio.dispose()
        else setStudio(newStudio)
      },
      () => !isStale && setStudio('failed'),
    )
    return () => {
      isStale = true
      opened?.dispose()
      setStudio('opening')
    }
  }, [engine, isOpen])
  return studio
}

/** Offers the cover of the file first, then a drawn one, and the person's own. */
export function useVideoPictures(studio: VideoStudio, size: Pick<VideoDesign, 'width' | 'height'>, seed: string): VideoPictures {
  const [pictures, setPictures] = useState<VideoPictures['pictures']>({})
  const [chosen, setChosen] = useState<PictureKind>()
  const { width, height } = size
  const add = useCallback(
    async (kind: PictureKind, blob: Blob | undefined) => {
      const opened = blob && (await studio.openPicture(blob))
      if (opened?.kind !== 'opened') return false
      setPictures((current) => ({ ...current, [kind]: opened.picture }))
      return true
    },
    [studio],
  )
  useEffect(() => {
    studio
      .sourceCover()
      .then((cover) => add('cover', cover))
      .catch(() => false)
  }, [studio, add])
  useEffect(() => {
    let isStale = false
    drawCover({ width, height }, seed)
      .then((cover) => !isStale && add('drawn', cover))
      .catch(() => false)
    return () => {
      isStale = true
    }
  }, [width, height, seed, add])
  useRelease(pictures.cover)
  useRelease(pictures.drawn)
  useRelease(pictures.own)
  return {
    pictures,
    chosen: chosen ?? (pictures.cover ? 'cover' : 'drawn'),
    choose: setChosen,
    async addOwn(file) {
      const isAdded = await add('own', file).catch(() => false)
      if (isAdded) setChosen('own')
      return isAdded
    },
  }
}

/** Releases the decoded picture when another one takes its place, and at the end. */
function useRelease(picture: ShownPicture | undefined): void {
  useEffect(() => () => picture?.firstFrame.close(), [picture])
}

/** Finds what the browser can make of a size; `checking` until it is known. */
export function useVideoFormat(
  studio: VideoStudio,
  { width, height }: Pick<VideoDesign, 'width' | 'height'>,
  sound: VideoSound,
): VideoFormat | 'checking' | undefined {
  const [format, setFormat] = useState<VideoFormat | 'checking' | undefined>('checking')
  useEffect(() => {
    let isStale = false
    setFormat('checking')
    studio.findFormat({ width, height }, sound).then(
      (found) => !isStale && setFormat(found),
      () => !isStale && setFormat(undefined),
    )
    return () => {
      isStale = true
    }
  }, [studio, width, height, sound])
  return format
}

/** Takes the files that are dropped or pasted while the component is shown, before the page behind it does. */
export function usePictureDrop(onFile: (file: File) => void): void {
  const take = useEffectEvent(onFile)
  useEffect(() => {
    const takeFrom = (event: DragEvent | ClipboardEvent) => {
      const [file] = filesOfEvent(event)
      if (file === undefined) return
      event.preventDefault()
      event.stopImmediatePropagation()
      take(file)
    }
    const stopDrop = listen(window, 'drop', takeFrom, { capture: true })
    const stopPaste = listen(window, 'paste', takeFrom, { capture: true })
    return () => {
      stopDrop()
      stopPaste()
    }
  }, [])
}

export interface VideoExport {
  /** Makes the video, then starts a browser download. */
  download(design: VideoDesign, format: VideoFormat): Promise<ExportOutcome>
  /** Lets the person choose a file, then writes into it. Absent where the browser cannot. */
  saveTo?(design: VideoDesign, format: VideoFormat): Promise<ExportOutcome>
  cancel(): void
}

export function useVideoExport(engine: Engine): VideoExport {
  const { track, cancel } = useTrackedExport(engine)
  return {
    async download(design, format) {
      const outcome = await track(() => engine.exportVideo(design, format))
      if (outcome.kind === 'exported' && outcome.file) saveFile(outcome.fileName, outcome.file)
      return outcome
    },
    ...(supportsSaveFilePicker() && {
      async saveTo(design: VideoDesign, format: VideoFormat) {
        const name = engine.videoFileName(format)
        if (name === undefined) return { kind: 'no-sound' as const }
        try {
          const handle = await chooseFileHandle(name)
          return handle && (await track(() => engine.exportVideo(design, format, { handle })))
        } catch (error) {
          return { kind: 'failed' as const, reason: error instanceof Error ? error.message : String(error) }
        }
      },
    }),
    cancel,
  }
}

/** Saves a thumbnail as platforms ask for it. */
export function useThumbnail(studio: VideoStudio): (design: VideoDesign, picture: ShownPicture, name: string) => Promise<void> {
  const canvas = useRef<HTMLCanvasElement>(null)
  return useCallback(
    async (design, picture, name) => {
      canvas.current ??= document.createElement('canvas')
      const target = canvas.current
      studio.paintPreview(target, { ...design, width: 1280, height: 720 }, picture)
      const blob = await new Promise<Blob | null>((resolve) => target.toBlob(resolve, 'image/jpeg', 0.92))
      if (blob) saveFile(name, blob)
    },
    [studio],
  )
}
