import { createFileRoute, useRouter } from '@tanstack/react-router'
import { SignUpPage } from '../features/account/sign-up-page.tsx'
import { PendingFavorite } from '../features/favorites/pending-favorite.tsx'
import { usePendingFavorite, useReturnTo } from '../hooks/login-navigation.ts'
import { createHeadForPage } from '../hooks/page-title.ts'
import { useSignOut } from '../hooks/sign-out.ts'

export const Route = createFileRoute('/signup')({
  head: createHeadForPage,
  component: SignUp,
})

function SignUp() {
  const router = useRouter()
  const returnTo = useReturnTo()
  const pendingFavorite = usePendingFavorite()
  return (
    <>
      <PendingFavorite />
      <SignUpPage
        onSignOut={useSignOut()}
        onDone={(email) =>
          router.history.replace('/login', { signedUp: true, email, pendingFavorite, ...(returnTo !== undefined && { returnTo }) })
        }
      />
    </>
  )
}
