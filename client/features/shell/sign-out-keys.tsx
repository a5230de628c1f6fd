import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { usePerson } from '../../bindings/identity.ts'
import { SignOut, useLeave, useReadUnsent } from '../../bindings/sign-out.ts'
import { createDialogPart } from '../../ui/dialog-part.tsx'
import { useToast } from '../../ui/toast.tsx'

const SignOutDialog = createDialogPart('Sign out with unsent changes?', () =>
  import('./sign-out-dialog.tsx').then((module) => module.SignOutDialog),
)

/** What every key below it does that signs out; tells of each end of a session, in another tab or by the site as well. */
export function SignOutKeys({ children }: { children: ReactNode }) {
  const [asking, setAsking] = useState(false)
  const readUnsent = useReadUnsent()
  const leave = useLeave()
  const toast = useToast()

  const person = usePerson()
  const before = useRef(person)
  useEffect(() => {
    // The pages of the account lead to the log-in page, which says why.
    if (before.current && !person && !location.pathname.startsWith('/account')) toast({ text: 'You are signed out.' })
    before.current = person
  }, [person, toast])

  const goOn = useCallback(() => {
    setAsking(false)
    void leave()
  }, [leave])
  const signOut = useCallback(() => {
    void readUnsent().then(({ length }) => (length > 0 ? setAsking(true) : goOn()))
  }, [readUnsent, goOn])

  return (
    <SignOut value={signOut}>
      {children}
      <SignOutDialog open={asking} onClose={() => setAsking(false)} onLeave={goOn} />
    </SignOut>
  )
}
