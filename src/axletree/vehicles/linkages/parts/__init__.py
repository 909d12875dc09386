"""What suspensions by hard points are put together from, beside their own links.

``coilover``          a spring with damper and stops by its ends
``seats``             where springs, pushrods and drop links stand
``rocker``            a rocker with its pushrod or pullrod
``anti_roll_bar``     anti-roll bars by their links
``rods``              rods with a ball at each end
``mounts``            bushings of joints, rods and struts
``steering_linkage``  rack, pitman and idler arm, beam axle's steering
"""
