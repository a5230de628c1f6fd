import { useCallback, useEffect, useRef, useState } from 'react'
import type { Song } from '../../../contract/song.ts'
import { loadEmbeddedVideo } from '../../hooks/embedded-video.ts'
import { useBusyWhile } from '../../hooks/update.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ErrorState } from '../../ui/states.tsx'
import styles from './floating-video.module.css'

interface FloatingVideoProps {
  /** The songs that follow each other when a video ends, the first after the last. */
  songs: readonly Song[]
  /** The song that is played first. */
  firstSong: Song
  onClose: () => void
}

/** Videos that float above the page, and play immediately. Escape closes them and returns the focus to the element that had it. */
export function FloatingVideo({ songs, firstSong, onClose }: FloatingVideoProps) {
  const regionElement = useRef<HTMLElement>(null)
  const [playedSong, setSong] = useState(firstSong)
  useBusyWhile(true, 'song')
  useEffect(() => {
    const previouslyFocusedElement = document.activeElement
    regionElement.current?.focus()
    return () => {
      if (previouslyFocusedElement instanceof HTMLElement && previouslyFocusedElement.isConnected) previouslyFocusedElement.focus()
    }
  }, [])
  const playNext = useCallback(
    () =>
      setSong(({ youtube_id }) => {
        const index = songs.findIndex((each) => each.youtube_id === youtube_id)
        return songs[(index + 1) % songs.length] ?? firstSong
      }),
    [songs, firstSong],
  )
  return (
    <aside
      ref={regionElement}
      tabIndex={-1}
      aria-label={`Video: ${playedSong.title}`}
      className={styles.video}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <div className={styles.head}>
        <span className={styles.title} dir="auto">
          {playedSong.title}
        </span>
        <IconButton icon="close" label="Close the video" onClick={onClose} />
      </div>
      <FloatingSongVideo key={playedSong.youtube_id} song={playedSong} {...(songs.length > 1 && { onNext: playNext })} />
    </aside>
  )
}

function FloatingSongVideo({ song, onNext }: { song: Song; onNext?: () => void }) {
  const videoHost = useRef<HTMLDivElement>(null)
  const [loadAttempt, setAttempt] = useState({ count: 0, hasFailed: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry starts the video again.
  useEffect(() => {
    if (!videoHost.current) return
    let hasVideoEnded = false
    let endVideo: (() => void) | undefined
    const showVideoFailure = () => {
      if (!hasVideoEnded) setAttempt(({ count }) => ({ count, hasFailed: true }))
    }
    loadEmbeddedVideo().then((playVideo) => {
      if (!hasVideoEnded && videoHost.current)
        endVideo = playVideo(videoHost.current, {
          videoId: song.youtube_id,
          volume: 1,
          onError: showVideoFailure,
          song,
          ...(onNext && { onNext }),
        })
    }, showVideoFailure)
    return () => {
      hasVideoEnded = true
      endVideo?.()
    }
  }, [song.youtube_id, onNext, loadAttempt.count])
  return (
    <div className={styles.screen}>
      <div ref={videoHost} className={styles.host} />
      {loadAttempt.hasFailed && (
        <div className={styles.failure}>
          <ErrorState
            title="This video can't be played right now."
            onRetry={() => setAttempt(({ count }) => ({ count: count + 1, hasFailed: false }))}
          />
        </div>
      )}
    </div>
  )
}
