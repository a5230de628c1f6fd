import { useEffect } from 'react'
import { formatSongHeading } from '../../../contract/page-titles.ts'
import { createStationPath, formatRadioTitle } from '../../../contract/radio-page.ts'
import { createArtistPath, createPlaylistPath, createSongPath } from '../../hooks/paths.ts'
import { useSite } from '../../hooks/services.tsx'
import { ActionBar, ActionButton } from '../../ui/action-bar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ShareActions } from '../../ui/share-actions.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SleepTimerAction } from '../../ui/sleep-action.tsx'
import { chooseTallScriptClass } from '../../ui/tall-script-class.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './now-playing.module.css'
import { RadioControls } from './radio-controls.tsx'
import { RadioMessage } from './radio-message.tsx'
import { type SongOnAir, useLastSong, useRadio, useRadioState } from './use-radio.ts'

/** Shows the song on air with the controls of the radio, or the reason why no song is on air. */
export function NowPlaying() {
  const songOnAir = useRadioState((state) => state.onAir)
  const hasNoSongs = useRadioState((state) => state.hasNoSongs)
  const isStationUnreachable = useRadioState((state) => state.serverUnreachable)
  useRadioTitle(songOnAir)
  return (
    <section aria-label="Now playing" className={styles.now}>
      {songOnAir ? <SongOnAirView onAir={songOnAir} /> : hasNoSongs ? <NoSongs /> : isStationUnreachable ? <LastHeardSong /> : <Loading />}
    </section>
  )
}

/** Sets the title of the document: while the radio plays, the title contains the song on air. */
function useRadioTitle(onAir: SongOnAir | undefined): void {
  const { settings } = useSite()
  const isStationPlaying = useRadioState((state) => state.status === 'playing')
  const pageTitle = isStationPlaying && onAir ? `${formatSongHeading(onAir)} · ${formatRadioTitle(settings)}` : formatRadioTitle(settings)
  useEffect(() => {
    document.title = pageTitle
  }, [pageTitle])
}

function SongOnAirView({ onAir }: { onAir: SongOnAir }) {
  const { main_url } = useSite()
  const isPlaybackBlocked = useRadioState(({ status }) => status === 'blocked')
  return (
    <>
      <div className={styles.heading}>
        <p className={typeStyles.legend}>Live, the same second for everyone</p>
        <Title text={onAir.title} />
      </div>
      <div className={styles.tags}>
        <Badge kind="plain" size="m" to={main_url + createArtistPath(onAir.author_name)}>
          <span className={styles.clip}>{onAir.author_name}</span>
        </Badge>
        {onAir.category_id !== undefined && (
          <Badge kind="category" size="m" to={main_url + createPlaylistPath(onAir.category_id)}>
            <span className={styles.clip}>{onAir.category_name}</span>
          </Badge>
        )}
      </div>
      <RadioControls onAir={onAir} className={styles.controls} buttonClassName={classNames(isPlaybackBlocked && styles.asked)} />
      <RadioMessage />
      <p className={classNames(typeStyles.muted, styles.next)}>
        Next: <strong dir="auto">{onAir.next.title}</strong>, <bdi>{onAir.next.author_name}</bdi>
      </p>
      <Actions onAir={onAir} />
    </>
  )
}

/** Matches titles that need a smaller font size: titles with a long word or with more than 20 characters. */
const LONG_TITLE_PATTERN = /\S{14}|.{21}/

function Title({ text }: { text: string }) {
  return (
    <h1
      dir="auto"
      className={classNames(typeStyles.display, styles.title, chooseTallScriptClass(text), LONG_TITLE_PATTERN.test(text) && styles.long)}
    >
      {text}
    </h1>
  )
}

function Actions({ onAir }: { onAir: SongOnAir }) {
  const radio = useRadio()
  const { main_url, settings } = useSite()
  const sleepTimer = useRadioState((state) => state.sleep)
  const station = useRadioState((state) => state.station)
  const songUrl = main_url + createSongPath(onAir.youtube_id)
  return (
    <ActionBar>
      {/* The links open the song's page on the main site, because only the main site has accounts, favorites and playlists. */}
      <ActionButton icon="heart" label="Favorite" to={songUrl} />
      <ActionButton icon="plus" label="Add to playlist" to={songUrl} />
      <ShareActions path={station === 'main' ? '/' : createStationPath(station)} title={formatRadioTitle(settings)} />
      <SleepTimerAction sleep={sleepTimer} onChoose={(next) => radio.setSleep(next)} />
    </ActionBar>
  )
}

function NoSongs() {
  const { settings } = useSite()
  return (
    <>
      <Title text={formatRadioTitle(settings)} />
      <p className={classNames(typeStyles.lead, styles.text)} role="status">
        The radio has no songs yet.
      </p>
    </>
  )
}

/** Shown while there is no connection. The radio continues by itself when the connection returns. */
function LastHeardSong() {
  const { settings } = useSite()
  const lastSong = useLastSong()
  return (
    <>
      {lastSong && <p className={typeStyles.legend}>Heard last</p>}
      <Title text={lastSong?.title ?? formatRadioTitle(settings)} />
      {lastSong && (
        <p className={classNames(typeStyles.lead, styles.text)} dir="auto">
          {lastSong.author_name}
        </p>
      )}
      <p className={classNames(typeStyles.muted, styles.text)} role="status">
        No connection at the moment. The radio comes back by itself.
      </p>
    </>
  )
}

function Loading() {
  const { settings } = useSite()
  return (
    <div aria-busy="true">
      <span className={typeStyles.hidden} role="status">
        Loading...
      </span>
      <h1 className={classNames(typeStyles.display, styles.title)}>
        <span className={typeStyles.hidden}>{formatRadioTitle(settings)}</span>
        <Skeleton width="min(100%, 9ch)" height="0.9em" />
      </h1>
      <Skeleton width="min(100%, 220px)" height="28px" className={styles.tags} />
      <Skeleton height="72px" className={styles.controls} />
    </div>
  )
}
