import { useOpenLogin } from '../../hooks/login-navigation.ts'
import { isPlainClick } from '../../primitives/keys.ts'
import { Button } from '../../ui/button.tsx'

/** A link to the login page, which returns to the current page after the login. */
export function LoginLink({ variant = 'primary' }: { variant?: 'primary' | 'secondary' }) {
  const openLogin = useOpenLogin()
  return (
    <Button
      variant={variant}
      to="/login"
      onFollow={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        openLogin('/login', undefined)
      }}
    >
      Log in
    </Button>
  )
}
