import { type ReactNode, useEffect, useState } from 'react'
import { brandMarkPath } from '../../../contract/mark.ts'
import { NOT_FOUND_HEADING, pageTitle } from '../../../contract/page-titles.ts'
import type { Playlist } from '../../../contract/playlist.ts'
import type { Song } from '../../../contract/song.ts'
import type { SubscriberInfo } from '../../../contract/website.ts'
import { socialFields, socialLabels } from '../../../contract/website-rules.ts'
import { playlistPath } from '../../hooks/paths.ts'
import { useSite } from '../../hooks/services.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { formatDuration, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { Logo } from '../../ui/logo.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SkeletonGrid } from '../../ui/skeleton.tsx'
import { SocialIcon } from '../../ui/social-icon.tsx'
import { ErrorState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './public-page.module.css'
import { useCountClick, useSubscriberInfo } from './use-public-website.ts'

// The video is an on-demand chunk, which is loaded when a song is first pressed.
const FloatingVideo = lazyWithRetry(() => import('./floating-video.tsx').then((module) => module.FloatingVideo))

const anchors = [
  ['videos', 'Videos'],
  ['support', 'Support'],
  ['more', 'More'],
  ['about', 'About'],
] as const

interface SubscriberPageProps {
  initialInfo: SubscriberInfo | undefined
  isNotFound: boolean
  radio: ReactNode
}

/** The site of a subscriber: songs, links, playlists, the radio and a text of the owner. */
export function SubscriberPage({ initialInfo, isNotFound, radio }: SubscriberPageProps) {
  const { settings, main_url, hero } = useSite()
  return (
    <div className={styles.page}>
      <a href="#main">Skip to content</a>
      <header className={classNames(typeStyles.wrap, styles.bar)}>
        <Logo name={settings.NAME} src={settings.LOGO} svgPath={brandMarkPath(hero.rate)} to={main_url} />
        {!isNotFound && (
          <nav aria-label="Sections">
            <ul className={styles.anchors}>
              {anchors.map(([id, label]) => (
                <li key={id}>
                  <a href={`#${id}`}>{label}</a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </header>
      <main id="main" tabIndex={-1}>
        {isNotFound ? <NotFound /> : <LoadedSite initialInfo={initialInfo} radio={radio} />}
      </main>
      <footer className={classNames(typeStyles.wrap, styles.foot)}>
        <p className={typeStyles.muted}>
          Powered by{' '}
          <a className={typeStyles.link} href={main_url}>
            {settings.NAME}
          </a>
        </p>
        <p className={classNames(typeStyles.mono, typeStyles.muted)} suppressHydrationWarning>
          © {new Date().getFullYear()} {settings.DOMAIN}
        </p>
      </footer>
    </div>
  )
}

function NotFound() {
  const { settings, main_url } = useSite()
  useEffect(() => {
    document.title = pageTitle(NOT_FOUND_HEADING, settings)
  }, [settings])
  return (
    <div className={classNames(typeStyles.wrap, styles.notFound)}>
      <p className={classNames(typeStyles.display, typeStyles.d4)}>404</p>
      <h1 className={classNames(typeStyles.head, typeStyles.d2)}>Page not found</h1>
      <div className={styles.buttons}>
        <Button to="/" variant="primary" icon="arrow-left">
          Go back home
        </Button>
        <Button to={main_url}>Go to {settings.NAME}</Button>
      </div>
    </div>
  )
}

function LoadedSite({ initialInfo, radio }: Omit<SubscriberPageProps, 'isNotFound'>) {
  const { info, hasFailed, retry } = useSubscriberInfo(initialInfo)
  if (info) return <Content info={info} radio={radio} />
  return (
    <div className={classNames(typeStyles.wrap, styles.notFound)}>
      {hasFailed ? (
        <ErrorState title="This site could not be loaded." text="Check your connection." onRetry={retry} />
      ) : (
        <SkeletonGrid count={8} />
      )}
    </div>
  )
}

function Content({ info, radio }: { info: SubscriberInfo; radio: ReactNode }) {
  const { settings } = useSite()
  const countClick = useCountClick()
  const [video, setVideo] = useState<Song>()
  const { data } = info
  useEffect(() => {
    document.title = pageTitle(data.name, settings)
  }, [data.name, settings])
  useEffect(() => countClick('visit'), [countClick])
  return (
    <>
      <Banner domainName={data.domain_name} className={styles.banner} />
      <div className={classNames(typeStyles.wrap, styles.head)}>
        <Cover src={info.profile_pic} ratio="square" width={112} alt="" priority className={styles.picture} />
        <div className={styles.names}>
          <h1 className={classNames(typeStyles.display, typeStyles.d3)} dir="auto">
            {data.name}
          </h1>
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
        </div>
      </div>
      <Videos
        videos={info.videos}
        onPlay={(song) => {
          countClick('video')
          setVideo(song)
        }}
      />
      <Support data={data} />
      <section id="more" className={classNames(typeStyles.wrap, styles.section)}>
        <SectionHeading>More</SectionHeading>
        <Playlists playlists={info.playlists} />
      </section>
      <Radio widget={radio} />
      <section id="about" className={classNames(typeStyles.wrap, styles.section)}>
        <SectionHeading>About me</SectionHeading>
        <p className={styles.about} dir="auto">
          {data.about_me === '' ? `${data.name} supports ${settings.NAME}.` : data.about_me}
        </p>
      </section>
      {video && <FloatingVideo key={video.youtube_id} song={video} onClose={() => setVideo(undefined)} />}
    </>
  )
}

function Videos({ videos, onPlay }: { videos: readonly Song[]; onPlay: (song: Song) => void }) {
  return (
    <section id="videos" className={classNames(typeStyles.wrap, styles.section)}>
      <SectionHeading>Newest songs</SectionHeading>
      {videos.length === 0 && <p className={typeStyles.muted}>There are no songs yet.</p>}
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
    </section>
  )
}

function Support({ data }: { data: SubscriberInfo['data'] }) {
  const countClick = useCountClick()
  const links = socialFields.filter((field) => /^https?:/i.test(data[field]))
  return (
    <section id="support" className={classNames(typeStyles.wrap, styles.section)}>
      <SectionHeading>Support</SectionHeading>
      {data.social_text !== '' && (
        <p className={classNames(typeStyles.lead, styles.about)} dir="auto">
          {data.social_text}
        </p>
      )}
      {links.length === 0 && data.form_mail === '' && data.social_text === '' && (
        <p className={typeStyles.muted}>There are no links yet.</p>
      )}
      <ul className={styles.links}>
        {links.map((field) => (
          <li key={field}>
            <a className={styles.social} href={data[field]} target="_blank" rel="noopener noreferrer" onClick={() => countClick(field)}>
              <SocialIcon site={field} />
              {socialLabels[field]}
            </a>
          </li>
        ))}
        {data.form_mail !== '' && (
          <li>
            <a
              className={styles.social}
              href={`mailto:${encodeURIComponent(data.form_mail).replace('%40', '@')}`}
              onClick={() => countClick('mail')}
            >
              <SocialIcon site="mail" />
              Write a mail
            </a>
          </li>
        )}
      </ul>
    </section>
  )
}

function Playlists({ playlists }: { playlists: readonly Playlist[] }) {
  const { main_url } = useSite()
  const countClick = useCountClick()
  return (
    <ul className={styles.playlists}>
      {playlists.map((playlist) => (
        <li key={playlist.id}>
          <a className={styles.video} href={`${main_url}${playlistPath(playlist.id)}`} onClick={() => countClick('playlist')}>
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

function Radio({ widget }: { widget: ReactNode }) {
  const { radio_url } = useSite()
  const countClick = useCountClick()
  return (
    <section className={classNames(typeStyles.wrap, styles.section)}>
      <SectionHeading
        endContent={
          <a className={typeStyles.link} href={radio_url} onClick={() => countClick('radio')}>
            Open the radio
          </a>
        }
      >
        Radio
      </SectionHeading>
      <div className={styles.radio}>{widget}</div>
    </section>
  )
}
