import { type ReactNode, useCallback, useState } from 'react'
import { SignOut, useLeave, useReadUnsent } from '../../bindings/sign-out.ts'
import { createDialogPart } from '../../ui/dialog-part.tsx'
import { useToast } from '../../ui/toast.tsx'

const SignOutDialog = createDialogPart('Sign out with unsent changes?', () =>
  import('./sign-out-dialog.tsx').then((module) => module.SignOutDialog),
)

/** What every key below it does that signs out. */
export function SignOutKeys({ children }: { children: ReactNode }) {
  const [asking, setAsking] = useState(false)
  const readUnsent = useReadUnsent()
  const leave = useLeave()
  const toast = useToast()

  const goOn = useCallback(() => {
    setAsking(false)
    void leave().then(() => toast({ kind: 'good', text: 'You are signed out.' }))
  }, [leave, toast])
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
