import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { songNameFromFileName } from '../../../contract/file-name.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/states.tsx'
import styles from './batch-dialog.module.css'
import type { BatchVideo, Engine, PreviewPicture, VideoPicture, VideoStudio } from './use-maker.ts'
import { useVideoFormat, useVideoStudio } from './use-video.ts'
import { DEFAULT_VIDEO, FormatNote, Preview, type VideoChoice, VideoFields } from './video-fields.tsx'
import { describeCover, readVideoStyle } from './video-style.ts'

/** The person's choices for the videos of a batch. */
export interface BatchVideoChoice extends VideoChoice {
  /** The picture of all videos; `undefined` for the cover of each song. */
  readonly picture: File | undefined
}

export const DEFAULT_BATCH_VIDEO: BatchVideoChoice = { ...DEFAULT_VIDEO, picture: undefined }

interface BatchVideoFieldsProps {
  engine: Engine
  choice: BatchVideoChoice
  onChange: (choice: BatchVideoChoice) => void
  /** The name of the song whose video is shown as an example; empty without songs. */
  songName: string
  /** Renders the content below the fields. The function receives `undefined` while no video can be made. */
  children: (video: Omit<BatchVideo, 'isBesideSound'> | undefined) => ReactNode
}

/** Renders an example of the videos of a batch, and the fields with which they are designed. */
export function BatchVideoFields({ engine, children, ...fields }: BatchVideoFieldsProps) {
  const studio = useVideoStudio(engine, true)
  if (studio === 'failed') return <ErrorState title="A part of the page did not arrive." />
  if (studio === 'opening')
    return (
      <>
        <div className={styles.place} aria-busy="true" />
        {children(undefined)}
      </>
    )
  return (
    <OpenedFields {...fields} studio={studio}>
      {children}
    </OpenedFields>
  )
}

function OpenedFields({ studio, choice, onChange, songName, children }: Omit<BatchVideoFieldsProps, 'engine'> & { studio: VideoStudio }) {
  const input = useRef<HTMLInputElement>(null)
  const style = useMemo(readVideoStyle, [])
  const { picture: chosenFile, hasText, ...shape } = choice
  const { width, height } = shape
  const drawnCover = useMemo(() => describeCover({ width, height }, songName), [width, height, songName])
  const shownPicture = chosenFile ?? drawnCover
  const picture = usePicture(studio, shownPicture)
  const format = useVideoFormat(studio, shape, shape.sound)
  const design = { ...shape, style }
  const exampleDesign = {
    ...design,
    picture: shownPicture,
    title: hasText ? songNameFromFileName(songName) || 'Title' : '',
    artist: hasText ? 'Artist' : '',
  }
  const canStart = typeof format === 'object' && picture !== undefined && picture !== 'undecodable'
  const preview = picture === 'undecodable' ? undefined : picture
  return (
    <>
      <Preview studio={studio} design={exampleDesign} picture={preview} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a default style and a legend. */}
      <div role="group" aria-label="Picture" className={styles.pickers}>
        <Button variant="tertiary" pressed={chosenFile === undefined} onClick={() => onChange({ ...choice, picture: undefined })}>
          Cover of each song
        </Button>
        <Button variant="tertiary" icon="file" pressed={chosenFile !== undefined} onClick={() => input.current?.click()}>
          One picture for all
        </Button>
        <input
          ref={input}
          type="file"
          accept="image/*,video/*"
          hidden
          aria-label="Picture file"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            event.currentTarget.value = ''
            if (file) onChange({ ...choice, picture: file })
          }}
        />
        <p role="status" className={styles.note}>
          {picture === 'undecodable'
            ? 'This browser cannot show that file. Please choose a picture, a GIF or a clip.'
            : chosenFile
              ? chosenFile.name
              : 'Songs without a cover get a drawn one.'}
        </p>
      </div>
      <VideoFields choice={choice} onChange={onChange} isClip={(preview?.durationS ?? 0) > 0} />
      <FormatNote format={format} />
      {children(canStart ? { design, hasText, picture: chosenFile, format } : undefined)}
    </>
  )
}

/**
 * Opens a picture for the preview; `undefined` until the picture is open. The picture is released when another one replaces it, and on
 * unmount.
 */
function usePicture(studio: VideoStudio, source: VideoPicture): PreviewPicture | 'undecodable' | undefined {
  const [picture, setPicture] = useState<PreviewPicture | 'undecodable'>()
  useEffect(() => {
    let isStale = false
    let openedPicture: PreviewPicture | undefined
    setPicture(undefined)
    studio.openPicture(source).then(
      (result) => {
        if (result.kind === 'opened') openedPicture = result.picture
        if (!isStale) setPicture(openedPicture ?? 'undecodable')
        else if (openedPicture) studio.closePicture(openedPicture)
      },
      () => !isStale && setPicture('undecodable'),
    )
    return () => {
      isStale = true
      if (openedPicture) studio.closePicture(openedPicture)
    }
  }, [studio, source])
  return picture
}
