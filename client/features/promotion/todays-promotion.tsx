import typeStyles from '../../ui/type.module.css'
import { PromotionCard } from './promotion-card.tsx'
import styles from './todays-promotion.module.css'
import { useTodaysPromotion } from './use-todays-promotion.ts'

/** The section of the home page with the promotion of the day. Renders nothing if there is no promotion. */
export function TodaysPromotion() {
  const promotion = useTodaysPromotion()
  if (promotion === null) return null
  return (
    <section className={styles.section} aria-labelledby="promotion-heading">
      <div className={typeStyles.wrap}>
        <PromotionCard
          promotion={promotion}
          label={
            <h2 id="promotion-heading" className={typeStyles.muted}>
              Channel of the day
            </h2>
          }
        />
      </div>
    </section>
  )
}
