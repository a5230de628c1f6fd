import { type ReactNode, useState } from 'react'
import type { Playlist } from '../../../contract/playlist.ts'
import type { Song } from '../../../contract/song.ts'
import type { SubscriberInfo } from '../../../contract/website.ts'
import { type ClickTarget, findSocialField, type SocialField, socialFields, socialLabels } from '../../../contract/website-rules.ts'
import { createPlaylistPath } from '../../hooks/paths.ts'
import { useSite } from '../../hooks/services.tsx'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { formatDuration, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { linkify } from '../../ui/linkify.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SocialIcon } from '../../ui/social-icon.tsx'
import { chooseTallScriptClass } from '../../ui/tall-script-class.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './public-page.module.css'

// The video is an on-demand chunk, which is loaded when a song is first pressed.
const FloatingVideo = lazyWithRetry(() => import('./floating-video.tsx').then((module) => module.FloatingVideo))

interface SiteContentProps {
  info: SubscriberInfo
  banner: ReactNode
  radio: ReactNode
  /** Counts a click for the owner of the website. */
  countClick: (target: ClickTarget) => void
  /** Whether the content is shown as a preview within another page. If so, it has no page heading and no anchors. */
  isPreview?: boolean
}

/** The content of a subscriber's site: head, links, songs, playlists, the radio and the owner's text. */
export function SubscriberSiteContent({ info, banner, radio, countClick, isPreview = false }: SiteContentProps) {
  const NameElement = isPreview ? 'p' : 'h1'
  const createAnchorId = (id: string) => (isPreview ? undefined : id)
  const { settings } = useSite()
  // Each press of a song opens the video anew, so that it also gets the focus.
  const [playedVideo, setVideo] = useState<{ songs: readonly Song[]; firstSong: Song; pressCount: number }>()
  const { data } = info
  return (
    <div data-accent={data.accent || undefined} className={styles.content}>
      {banner}
      <div className={classNames(typeStyles.wrap, styles.head)}>
        <Cover src={info.profile_pic} ratio="square" width={112} alt="" priority className={styles.picture} />
        <div className={styles.names}>
          <NameElement className={classNames(typeStyles.display, typeStyles.d3, chooseTallScriptClass(data.name))} dir="auto">
            {data.name}
          </NameElement>
          {data.subtitle !== '' && (
            <p className={typeStyles.lead} dir="auto">
              {data.subtitle}
            </p>
          )}
          {info.donator && (
            <Badge kind="special" size="m">
              Donator
            </Badge>
          )}
          <HeadLinks data={data} countClick={countClick} />
        </div>
      </div>
      <Videos
        id={createAnchorId('videos')}
        info={info}
        onPlay={(song) => {
          countClick('video')
          setVideo({ songs: info.videos, firstSong: song, pressCount: (playedVideo?.pressCount ?? 0) + 1 })
        }}
      />
      <Support id={createAnchorId('support')} data={data} countClick={countClick} />
      <section id={createAnchorId('more')} className={classNames(typeStyles.wrap, styles.section)}>
        <SectionHeading>More</SectionHeading>
        <Playlists playlists={info.playlists} countClick={countClick} />
        <Radio widget={radio} countClick={countClick} />
      </section>
      <section id={createAnchorId('about')} className={classNames(typeStyles.wrap, styles.section)}>
        <SectionHeading>About me</SectionHeading>
        <p className={styles.about} dir="auto">
          {data.about_me === '' ? `${data.name} supports ${settings.NAME}.` : linkify(data.about_me)}
        </p>
      </section>
      {playedVideo && (
        <FloatingVideo
          key={playedVideo.pressCount}
          songs={playedVideo.songs}
          firstSong={playedVideo.firstSong}
          onClose={() => setVideo(undefined)}
        />
      )}
    </div>
  )
}

type SiteData = SubscriberInfo['data']
type CountClick = SiteContentProps['countClick']

const listSocialFields = (data: SiteData): SocialField[] => socialFields.filter((field) => /^https?:/i.test(data[field]))
const createMailtoUrl = (address: string) => `mailto:${encodeURIComponent(address).replace('%40', '@')}`

/** Renders the owner's links above the other content: links to social networks as icons, then the owner's own links with their titles. */
function HeadLinks({ data, countClick }: { data: SiteData; countClick: CountClick }) {
  const socialFields = listSocialFields(data)
  if (socialFields.length + data.links.length === 0 && data.form_mail === '') return null
  return (
    <nav aria-label="Links" className={styles.headLinks}>
      <ul className={styles.icons}>
        {socialFields.map((socialField) => (
          <li key={socialField}>
            <a
              className={styles.iconLink}
              href={data[socialField]}
              target="_blank"
              rel="noopener noreferrer"
              title={socialLabels[socialField]}
              onClick={() => countClick(socialField)}
            >
              <SocialIcon site={socialField} />
              <span className={typeStyles.hidden}>{socialLabels[socialField]}</span>
            </a>
          </li>
        ))}
        {data.form_mail !== '' && (
          <li>
            <a className={styles.iconLink} href={createMailtoUrl(data.form_mail)} title="Send an email" onClick={() => countClick('mail')}>
              <SocialIcon site="mail" />
              <span className={typeStyles.hidden}>Send an email</span>
            </a>
          </li>
        )}
      </ul>
      <ul className={styles.ownLinks}>
        {data.links.map(({ id, title, url }) => {
          const socialField = findSocialField(url)
          return (
            <li key={id}>
              <a className={styles.ownLink} href={url} target="_blank" rel="noopener noreferrer" onClick={() => countClick(id)}>
                {socialField === undefined ? <Icon name="external" /> : <SocialIcon site={socialField} />}
                <span dir="auto">{title}</span>
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

interface VideosProps {
  id: string | undefined
  info: SubscriberInfo
  onPlay: (song: Song) => void
}

function Videos({ id, info: { videos, own_count: ownCount }, onPlay }: VideosProps) {
  const { settings } = useSite()
  const ownVideos = videos.slice(0, ownCount)
  const otherVideos = videos.slice(ownCount)
  return (
    <section id={id} className={classNames(typeStyles.wrap, styles.section)}>
      {(ownCount > 0 || videos.length === 0) && <SectionHeading>Songs</SectionHeading>}
      {videos.length === 0 && <p className={typeStyles.muted}>There are no songs yet.</p>}
      {ownCount > 0 && <VideoList videos={ownVideos} onPlay={onPlay} />}
      {otherVideos.length > 0 && (
        <div className={classNames(ownCount > 0 && styles.others)}>
          <SectionHeading>From {settings.NAME}</SectionHeading>
          <VideoList videos={otherVideos} onPlay={onPlay} />
        </div>
      )}
    </section>
  )
}

function VideoList({ videos, onPlay }: { videos: readonly Song[]; onPlay: (song: Song) => void }) {
  return (
    <ul className={styles.videos}>
      {videos.map((song) => (
        <li key={song.youtube_id}>
          <button
            type="button"
            className={styles.video}
            onClick={() => onPlay(song)}
            aria-label={`Play ${song.title} by ${song.author_name}`}
          >
            <span className={styles.thumbnail}>
              <Cover src={`/img/song/${song.youtube_id}`} ratio="wide" width="(max-width: 600px) 100vw, 320px" alt="" />
              <span className={styles.play}>
                <Icon name="play" />
              </span>
            </span>
            <span className={styles.title} dir="auto">
              {song.title}
            </span>
            <span className={classNames(typeStyles.muted, styles.artist)} dir="auto">
              {song.author_name}
              {song.duration === undefined ? '' : ` · ${formatDuration(song.duration)}`}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function Support({ id, data, countClick }: { id: string | undefined; data: SiteData; countClick: CountClick }) {
  const socialFields = listSocialFields(data)
  return (
    <section id={id} className={classNames(typeStyles.wrap, styles.section)}>
      <SectionHeading>Support</SectionHeading>
      {data.social_text !== '' && (
        <p className={classNames(typeStyles.lead, styles.about)} dir="auto">
          {linkify(data.social_text)}
        </p>
      )}
      {socialFields.length === 0 && data.form_mail === '' && data.social_text === '' && (
        <p className={typeStyles.muted}>There are no links yet.</p>
      )}
      <ul className={styles.links}>
        {socialFields.map((socialField) => (
          <li key={socialField}>
            <a
              className={styles.social}
              href={data[socialField]}
              target="_blank"
              rel="noopener noreferrer"
              onClick={() => countClick(socialField)}
            >
              <SocialIcon site={socialField} />
              {socialLabels[socialField]}
            </a>
          </li>
        ))}
        {data.form_mail !== '' && (
          <li>
            <a className={styles.social} href={createMailtoUrl(data.form_mail)} onClick={() => countClick('mail')}>
              <SocialIcon site="mail" />
              Send an email
            </a>
          </li>
        )}
      </ul>
    </section>
  )
}

function Playlists({ playlists, countClick }: { playlists: readonly Playlist[]; countClick: CountClick }) {
  const { main_url } = useSite()
  return (
    <ul className={styles.playlists}>
      {playlists.map((playlist) => (
        <li key={playlist.id}>
          <a className={styles.video} href={`${main_url}${createPlaylistPath(playlist.id)}`} onClick={() => countClick('playlist')}>
            <Cover src={playlist.image_url} ratio="square" width="(max-width: 600px) 50vw, 220px" alt="" />
            <span className={styles.title} dir="auto">
              {playlist.title}
            </span>
            <span className={classNames(typeStyles.mono, typeStyles.muted)}>{formatPlural(playlist.song_count, 'song')}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

function Radio({ widget, countClick }: { widget: ReactNode; countClick: CountClick }) {
  const { radio_url } = useSite()
  return (
    <div className={styles.others}>
      <SectionHeading
        size="small"
        level={3}
        endContent={
          <a className={typeStyles.link} href={radio_url} onClick={() => countClick('radio')}>
            Open the radio
          </a>
        }
      >
        Radio
      </SectionHeading>
      <div className={styles.radio}>{widget}</div>
    </div>
  )
}
