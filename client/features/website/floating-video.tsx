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
  const region = useRef<HTMLElement>(null)
  const [song, setSong] = useState(firstSong)
  useBusyWhile(true, 'song')
  useEffect(() => {
    const focusedBefore = document.activeElement
    region.current?.focus()
    return () => {
      if (focusedBefore instanceof HTMLElement && focusedBefore.isConnected) focusedBefore.focus()
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
      ref={region}
      tabIndex={-1}
      aria-label={`Video: ${song.title}`}
      className={styles.video}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <div className={styles.head}>
        <span className={styles.title} dir="auto">
          {song.title}
        </span>
        <IconButton icon="close" label="Close the video" onClick={onClose} />
      </div>
      <FloatingSongVideo key={song.youtube_id} song={song} {...(songs.length > 1 && { onNext: playNext })} />
    </aside>
  )
}

function FloatingSongVideo({ song, onNext }: { song: Song; onNext?: () => void }) {
  const host = useRef<HTMLDivElement>(null)
  const [attempt, setAttempt] = useState({ count: 0, hasFailed: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry starts the video again.
  useEffect(() => {
    if (!host.current) return
    let isEnded = false
    let end: (() => void) | undefined
    const fail = () => {
      if (!isEnded) setAttempt(({ count }) => ({ count, hasFailed: true }))
    }
    loadEmbeddedVideo().then((play) => {
      if (!isEnded && host.current)
        end = play(host.current, { videoId: song.youtube_id, volume: 1, onError: fail, song, ...(onNext && { onNext }) })
    }, fail)
    return () => {
      isEnded = true
      end?.()
    }
  }, [song.youtube_id, onNext, attempt.count])
  return (
    <div className={styles.screen}>
      <div ref={host} className={styles.host} />
      {attempt.hasFailed && (
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
