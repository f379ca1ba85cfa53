# Makes reaching the limit of recompilations an error, whatever the release calls that.


def strict(config):
    for switch in ("fail_on_recompile_limit_hit", "fail_on_cache_limit_hit"):
        if hasattr(config, switch):
            setattr(config, switch, True)
            return


after("torch._dynamo.config", strict)
