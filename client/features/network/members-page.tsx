import { useCallback, useEffect, useRef, useState } from 'react'
import type { Member } from '../../../contract/community.ts'
import { pages } from '../../../contract/pages.ts'
import { readListArrangement, writeListArrangement } from '../../components/list-arrangement.ts'
import { LoadFailureOrStaleNotice } from '../../components/load-failure.tsx'
import { useSite } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FilterField } from '../../ui/filter-field.tsx'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EmptyState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { MemberDialog } from './member-dialog.tsx'
import gridStyles from './member-grid.module.css'
import { useMemberSearch } from './member-search.ts'
import { MemberTile } from './member-tile.tsx'
import styles from './members-page.module.css'
import { useNetworkResource } from './use-network-resource.ts'
import type { MemberGridProps } from './virtual-member-grid.tsx'

/** The members of the network as a grid of pictures that can be searched by name; each opens a dialog. */
export function MembersPage() {
  const loadedMembers = useNetworkResource('members')
  const { settings } = useSite()
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <header className={styles.head}>
        <h1 className={classNames(typeStyles.display, typeStyles.d3)}>{pages['/members'].heading}</h1>
        <p className={typeStyles.lead}>
          These channels make up the network of {settings.NAME}. Each has at least 100 subscribers and meets our quality standards.
        </p>
        <Button to="/get-in-touch?topic=apply-member" variant="primary" size="big">
          Apply now
        </Button>
      </header>
      {/* An answer other than 200 is not reported: the product's specification wants an empty list without a message. */}
      {loadedMembers.error?.kind !== 'api' && <LoadFailureOrStaleNotice loaded={loadedMembers} />}
      {loadedMembers.status === 'loading' && <MembersLoading />}
      {loadedMembers.data?.length === 0 && <EmptyState title="No members yet" text="Nobody has joined yet. Be the first." />}
      {loadedMembers.data !== undefined && loadedMembers.data.length > 0 && <SearchedMembers members={loadedMembers.data} />}
    </div>
  )
}

const SKELETON_TILE_COUNT = 36

function MembersLoading() {
  return (
    <div aria-busy="true">
      <p className={styles.loading} role="status">
        <span className={styles.spinner} aria-hidden="true" />
        Loading...
      </p>
      <div className={gridStyles.grid} aria-hidden="true">
        {Array.from({ length: SKELETON_TILE_COUNT }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the tiles are all the same.
          <Skeleton key={index} className={styles.bone} />
        ))}
      </div>
    </div>
  )
}

/** The only sort order of the members, which `readListArrangement` and `writeListArrangement` require. */
const MEMBER_SORT = { value: 'members' } as const

function SearchedMembers({ members }: { members: readonly Member[] }) {
  const searchField = useRef<HTMLInputElement>(null)
  const { setText, found, isSearching } = useMemberSearch(members)
  const searchByText = (searchText: string) => {
    setText(searchText)
    writeListArrangement({ text: searchText, sort: MEMBER_SORT.value })
  }
  const [shownChannelId, setShownChannelId] = useState<string>()
  const showMember = useCallback((channelId: string | undefined) => setShownChannelId(channelId), [])
  // The field is uncontrolled, so that text typed before hydration is preserved. Otherwise Back and a reload restore the last text.
  useEffect(() => {
    if (!searchField.current) return
    searchField.current.value ||= readListArrangement([MEMBER_SORT])?.text ?? ''
    setText(searchField.current.value)
  }, [setText])
  const clearSearch = () => {
    if (searchField.current) searchField.current.value = ''
    searchField.current?.focus()
    searchByText('')
  }
  return (
    <>
      <FilterField
        ref={searchField}
        label="Find a member"
        placeholder="Channel name"
        status={isSearching && `${formatCount(found.length)} of ${formatPlural(members.length, 'member')}`}
        onText={searchByText}
      />
      {found.length > 0 ? (
        <MemberGrid members={found} label="Members" onOpen={showMember} />
      ) : (
        <EmptyState title="No member found" text="Try fewer letters." action={<Button onClick={clearSearch}>Show all members</Button>} />
      )}
      <MemberDialog members={found} shownChannelId={shownChannelId} onShow={showMember} />
    </>
  )
}

/** The number of members up to which all of them are in the document. */
const PLAIN_GRID_MEMBERS_MAX = 240
/** The number of members that are shown until the code for a long list is loaded: ten rows on a wide screen. */
const FALLBACK_MEMBER_COUNT = 120

// The virtualizer is an on-demand chunk, because only networks with more than PLAIN_GRID_MEMBERS_MAX members need it.
const VirtualMemberGrid = lazyWithRetry(() => import('./virtual-member-grid.tsx').then((module) => module.VirtualMemberGrid), {
  fallback: (props) => <PlainGrid {...props} shownCount={FALLBACK_MEMBER_COUNT} />,
  renderError: (props, errorMessage) => (
    <>
      <PlainGrid {...props} shownCount={FALLBACK_MEMBER_COUNT} />
      {errorMessage}
    </>
  ),
})

/** The pictures of members as a grid. Of a long list, only the rows near the viewport are in the document. */
const MemberGrid = (props: MemberGridProps) =>
  props.members.length > PLAIN_GRID_MEMBERS_MAX ? (
    <VirtualMemberGrid {...props} />
  ) : (
    <PlainGrid {...props} shownCount={PLAIN_GRID_MEMBERS_MAX} />
  )

function PlainGrid({ members, label, onOpen, shownCount }: MemberGridProps & { shownCount: number }) {
  return (
    <ul className={gridStyles.grid} aria-label={label}>
      {members.slice(0, shownCount).map((member, index) => (
        <MemberTile key={member.channel_id} member={member} index={index} memberCount={members.length} onOpen={onOpen} />
      ))}
    </ul>
  )
}
