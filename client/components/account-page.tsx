import type { ReactNode } from 'react'
import { type SignedInAccount, useSignedInAccount } from '../hooks/identity.ts'
import { classNames } from '../ui/class-names.ts'
import { SkeletonFields } from '../ui/skeleton-fields.tsx'
import typeStyles from '../ui/type.module.css'

/** An account page: renders the heading immediately, and the content as soon as the account is known. */
export function AccountPage({ title, children }: { title: string; children: (person: SignedInAccount) => ReactNode }) {
  const person = useSignedInAccount()
  return (
    <>
      <h1 className={classNames(typeStyles.display, typeStyles.d3)}>{title}</h1>
      {person ? children(person) : <SkeletonFields count={4} />}
    </>
  )
}
