import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import styles from './member-grid.module.css'
import { MemberTile } from './member-tile.tsx'
import type { MemberGridProps } from './virtual-member-grid.tsx'

/** The number of members up to which all of them are in the document. */
const PLAIN_GRID_MAX = 240
/** The number of members that are shown until the code for a long list is loaded: ten rows on a wide screen. */
const FALLBACK_MEMBERS = 120

// The virtualizer is an on-demand chunk, because only networks with more than PLAIN_GRID_MAX members need it.
const VirtualMemberGrid = lazyWithRetry(() => import('./virtual-member-grid.tsx').then((module) => module.VirtualMemberGrid), {
  fallback: (props) => <PlainGrid {...props} shownCount={FALLBACK_MEMBERS} />,
  renderError: (props, message) => (
    <>
      <PlainGrid {...props} shownCount={FALLBACK_MEMBERS} />
      {message}
    </>
  ),
})

/** The pictures of members as a grid. Of a long list, only the rows near the viewport are in the document. */
export const MemberGrid = (props: MemberGridProps) =>
  props.members.length > PLAIN_GRID_MAX ? <VirtualMemberGrid {...props} /> : <PlainGrid {...props} shownCount={PLAIN_GRID_MAX} />

function PlainGrid({ members, label, onOpen, shownCount }: MemberGridProps & { shownCount: number }) {
  return (
    <ul className={styles.grid} aria-label={label}>
      {members.slice(0, shownCount).map((member, index) => (
        <MemberTile key={member.channel_id} member={member} index={index} total={members.length} onOpen={onOpen} />
      ))}
    </ul>
  )
}
