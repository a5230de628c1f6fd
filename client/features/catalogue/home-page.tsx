import type { ReactNode } from 'react'
import { parseVideoId } from '../../../contract/youtube.ts'
import { LoadFailure, StaleNotice } from '../../components/load-failure.tsx'
import { PlaylistGrid } from '../../components/playlist-grid.tsx'
import { usePlaylists } from '../../hooks/catalogue.ts'
import { useSite } from '../../hooks/services.tsx'
import { classNames } from '../../ui/class-names.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SkeletonGrid } from '../../ui/skeleton.tsx'
import typeStyles from '../../ui/type.module.css'
import { CommunitySection } from './community-section.tsx'
import { Hero } from './hero.tsx'
import styles from './home-page.module.css'
import { IntroVideo } from './intro-video.tsx'

interface HomePageProps {
  /** The section of the songs that were played last on this device. */
  recent?: ReactNode
  promotion?: ReactNode
  radio?: ReactNode
}

export function HomePage({ recent, promotion, radio }: HomePageProps) {
  const { settings, texts } = useSite()
  const videoId = parseVideoId(settings.INTRO_VIDEO)
  return (
    <>
      <Hero />
      {recent}
      <HomePlaylists />
      {promotion}
      {videoId !== undefined && (
        <section className={styles.section} aria-label="Intro video">
          <div className={typeStyles.wrap}>
            <IntroVideo videoId={videoId} />
          </div>
        </section>
      )}
      {videoId === undefined && settings.PASSION_TEXT !== '' && (
        <section className={styles.section}>
          <div className={classNames(typeStyles.wrap, styles.passion)}>
            <h2 className={classNames(typeStyles.head, typeStyles.d2)}>{texts.passion_title}</h2>
            <p className={styles.passionText}>{settings.PASSION_TEXT}</p>
          </div>
        </section>
      )}
      {radio}
      <CommunitySection />
    </>
  )
}

function HomePlaylists() {
  const loadedPlaylists = usePlaylists('home')
  // The section is omitted if no playlist is selected for the home page; the hero links to all playlists.
  if (loadedPlaylists.data?.length === 0) return null
  return (
    <section className={styles.section}>
      <div className={typeStyles.wrap}>
        <SectionHeading
          endContent={
            <a className={typeStyles.link} href="/playlists">
              All playlists
            </a>
          }
        >
          Playlists
        </SectionHeading>
        <StaleNotice loaded={loadedPlaylists} />
        {loadedPlaylists.status === 'loading' && <SkeletonGrid count={8} />}
        {loadedPlaylists.status === 'error' && loadedPlaylists.error && (
          <LoadFailure error={loadedPlaylists.error} onRetry={loadedPlaylists.retry} fallbackAction={null} />
        )}
        {loadedPlaylists.data && <PlaylistGrid playlists={loadedPlaylists.data} featured headingLevel={3} label="Playlists" />}
      </div>
    </section>
  )
}
