import type { MemberStats } from '../../../contract/community.ts'
import { classNames } from '../../ui/class-names.ts'
import { formatCount } from '../../ui/format.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './network-stats.module.css'

/** The size of the network in three figures. */
export function NetworkStats({ stats: { members, subs, views } }: { stats: MemberStats }) {
  const figures: [string, number][] = [
    ['Members', members],
    ['Subscribers', subs],
    ['Views', views],
  ]
  return (
    <section className={typeStyles.wrap} aria-label="The network in numbers">
      <dl className={styles.stats}>
        {figures.map(([name, value]) => (
          <div key={name} className={styles.stat}>
            <dt className={typeStyles.legend}>{name}</dt>
            <dd className={classNames(typeStyles.figure, styles.figure)}>{formatCount(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
