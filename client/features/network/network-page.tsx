import { Fragment, type ReactNode, useState } from 'react'
import type { Member, MemberStats } from '../../../contract/community.ts'
import type { ContentDocument } from '../../../contract/content.ts'
import { pages } from '../../../contract/pages.ts'
import { LoadFailureOrStaleNotice } from '../../components/load-failure.tsx'
import type { LoadedResource } from '../../hooks/catalogue.ts'
import { useDocument } from '../../hooks/documents.ts'
import { useSite } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ContentIcon } from '../../ui/content-icon.tsx'
import { formatCount } from '../../ui/format.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import typeStyles from '../../ui/type.module.css'
import { AcademySection } from './academy-section.tsx'
import { MemberCarousel } from './member-carousel.tsx'
import { MemberDialog } from './member-dialog.tsx'
import mosaicStyles from './member-mosaic.module.css'
import styles from './network-page.module.css'
import statsStyles from './network-stats.module.css'
import { Supporters } from './supporters.tsx'
import { Testimonials } from './testimonials.tsx'
import { useNetworkResource } from './use-network-resource.ts'

/** The page of the network of creators: its members and their testimonials, the benefits, and how to join. A section without rows is not shown. */
export function NetworkPage() {
  const members = useNetworkResource('members')
  const stats = useNetworkResource('stats')
  const testimonials = useNetworkResource('testimonials')
  const supporters = useNetworkResource('supporters')
  const benefits = useDocument('benefits')
  const academy = useDocument('academy')
  const { settings } = useSite()
  const [shownChannelId, setShownChannelId] = useState<string>()
  const loadProblem = describeProblem([members, stats, testimonials, supporters], [benefits, academy])
  const shownMembers = members.data ?? []
  const sections: { name: string; waitsFor: readonly LoadedResource<unknown>[]; content: ReactNode }[] = [
    {
      name: 'members',
      waitsFor: [members],
      content: shownMembers.length > 0 && (
        <div className={classNames(typeStyles.wrap, styles.members)}>
          <MemberCarousel members={shownMembers} isPaused={shownChannelId !== undefined} onOpen={setShownChannelId} />
          <MemberDialog members={shownMembers} shownChannelId={shownChannelId} onShow={setShownChannelId} />
        </div>
      ),
    },
    {
      name: 'stats',
      waitsFor: [stats],
      content: stats.data !== undefined && stats.data.members > 0 && <NetworkStats stats={stats.data} />,
    },
    {
      name: 'testimonials',
      waitsFor: [testimonials],
      content: testimonials.data !== undefined && testimonials.data.length > 0 && (
        <div className={classNames(typeStyles.wrap, styles.section)}>
          <Testimonials members={testimonials.data} />
        </div>
      ),
    },
    {
      name: 'offers',
      waitsFor: [benefits, academy],
      content: (benefits.data ?? academy.data) !== undefined && (
        <div className={classNames(typeStyles.wrap, styles.section, styles.offers)}>
          {benefits.data && <Benefits benefits={benefits.data} />}
          {academy.data && <AcademySection academy={academy.data} />}
        </div>
      ),
    },
    {
      name: 'supporters',
      waitsFor: [supporters],
      content: supporters.data !== undefined && supporters.data.length > 0 && (
        <div className={classNames(typeStyles.wrap, styles.section)}>
          <Supporters supporters={supporters.data} />
        </div>
      ),
    },
    { name: 'ways', waitsFor: [], content: <FurtherLinks hasDesigners={settings.DESIGNER === 'true'} /> },
  ]
  // A section is not shown until the sections above it are loaded, so that no section is moved by another one.
  const firstLoadingIndex = sections.findIndex(({ waitsFor }) => waitsFor.some(({ status }) => status === 'loading'))
  const shownSectionCount = firstLoadingIndex < 0 ? sections.length : firstLoadingIndex
  return (
    <>
      <section className={styles.hero}>
        <div className={classNames(typeStyles.wrap, styles.copy)}>
          <h1 className={classNames(typeStyles.display, typeStyles.d4)}>{pages['/network'].heading}</h1>
          <p className={typeStyles.lead}>
            Full membership needs 100 subscribers and our quality standards. Under 100, start in the Academy.
          </p>
          <div className={styles.buttons}>
            <Button to="/get-in-touch?topic=apply-member" variant="primary" size="big">
              Apply to the network
            </Button>
            <Button to="/get-in-touch?topic=apply-academy" size="big">
              Apply to the Academy
            </Button>
          </div>
        </div>
        {shownMembers.length > 0 && <MemberMosaic members={shownMembers} />}
      </section>
      {loadProblem && (
        <div className={typeStyles.wrap}>
          <LoadFailureOrStaleNotice loaded={loadProblem} />
        </div>
      )}
      {sections.slice(0, shownSectionCount).map(({ name, content }) => (
        <Fragment key={name}>{content}</Fragment>
      ))}
      {shownSectionCount < sections.length && <NetworkSkeleton />}
    </>
  )
}

/**
 * Returns the state of the first section that could not be loaded. Its `retry` loads all failed sections. If the server answers the request
 * for a list with an error, the list counts as empty, because the product's specification requires an empty list without a message.
 */
function describeProblem(
  listResources: readonly LoadedResource<unknown>[],
  documentResources: readonly LoadedResource<unknown>[],
): LoadedResource<unknown> | undefined {
  const failedResources = [...listResources.filter(({ error }) => error?.kind !== 'api'), ...documentResources].filter(
    ({ status }) => status === 'error',
  )
  const retryAll = () => {
    for (const each of failedResources) each.retry()
  }
  return failedResources[0] && { ...failedResources[0], retry: retryAll }
}

function NetworkSkeleton() {
  return (
    <div className={classNames(typeStyles.wrap, styles.members, styles.loading)} aria-busy="true">
      <span className={typeStyles.hidden} role="status">
        Loading...
      </span>
      <Skeleton width="8rem" height="var(--hit)" />
      <div className={styles.bones} aria-hidden="true">
        {Array.from({ length: 12 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the tiles are all the same.
          <Skeleton key={index} className={styles.bone} />
        ))}
      </div>
    </div>
  )
}

function Benefits({ benefits }: { benefits: ContentDocument<'benefits'> }) {
  return (
    <section aria-labelledby="benefits">
      <SectionHeading id="benefits">Benefits</SectionHeading>
      <ul className={styles.benefits}>
        {benefits.map(({ title, text, icon }) => (
          <li key={title} className={styles.benefit}>
            <span className={styles.icon}>
              <ContentIcon name={icon} />
            </span>
            <div>
              <h3 className={styles.name}>{title}</h3>
              <p className={typeStyles.muted}>{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The section at the end of the page about how subscriptions support the network. */
function FurtherLinks({ hasDesigners }: { hasDesigners: boolean }) {
  return (
    <div className={classNames(typeStyles.wrap, styles.section, styles.ways)}>
      {hasDesigners && (
        <section className={styles.way}>
          <h2 className={classNames(typeStyles.head, typeStyles.d1)}>Artwork by our designers</h2>
          <p className={typeStyles.muted}>
            Custom artwork for your channel, drawn by people who listen to what you make. It comes with Premium.
          </p>
          <Button to="/subscribe">See the plans</Button>
        </section>
      )}
      <section className={styles.way}>
        <h2 className={classNames(typeStyles.head, typeStyles.d1)}>Support the network</h2>
        <p className={typeStyles.muted}>
          A subscription pays for the radio and the playlists, and brings you a website, the maker and promotion.
        </p>
        <Button to="/subscribe">Subscriptions</Button>
      </section>
    </div>
  )
}

/** The number of tiles that fills the mosaic on a wide screen. */
const MOSAIC_TILE_COUNT = 56
const MOSAIC_COLUMN_COUNT = 8
/**
 * Each tile shows the member that comes MEMBER_STEP_PER_TILE places after that of the previous tile, plus EXTRA_MEMBER_STEP_PER_ROW places at the start of a row. Otherwise,
 * with few members, a column could show the same picture in every row.
 */
const MEMBER_STEP_PER_TILE = 5
const EXTRA_MEMBER_STEP_PER_ROW = 3

/** The pictures of the members as a wall, for decoration. */
function MemberMosaic({ members }: { members: readonly Member[] }) {
  const pictureUrls = members.slice(0, MOSAIC_TILE_COUNT).map((member) => member.channel_pic)
  return (
    <div className={mosaicStyles.mosaic} aria-hidden="true">
      {Array.from({ length: MOSAIC_TILE_COUNT }, (_, tileIndex) => {
        const index =
          (tileIndex * MEMBER_STEP_PER_TILE + Math.floor(tileIndex / MOSAIC_COLUMN_COUNT) * EXTRA_MEMBER_STEP_PER_ROW) % pictureUrls.length
        // biome-ignore lint/suspicious/noArrayIndexKey: pictures repeat, and tiles keep their places.
        return <img key={tileIndex} className={mosaicStyles.tile} src={`${pictureUrls[index]}/160`} alt="" decoding="async" />
      })}
    </div>
  )
}

/** Three figures about the size of the network. */
function NetworkStats({ stats: { members, subs, views } }: { stats: MemberStats }) {
  const memberFigures: [string, number][] = [
    ['Members', members],
    ['Subscribers', subs],
    ['Views', views],
  ]
  return (
    <section className={typeStyles.wrap} aria-label="The network in numbers">
      <dl className={statsStyles.stats}>
        {memberFigures.map(([figureName, figureValue]) => (
          <div key={figureName} className={statsStyles.stat}>
            <dt className={typeStyles.legend}>{figureName}</dt>
            <dd className={classNames(typeStyles.figure, statsStyles.figure)}>{formatCount(figureValue)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
